import { expect, test } from 'vitest'
import { containsAnswer } from './contains-answer.ts'

test.each([
  ['Every employee gets 27 days of paid vacation a year.', '27 days'],
  ['Every employee gets twenty-seven days.', '27 days'],
  ['It cost 1,000 euros.', '1000 euros'],
  ['It cost €1\u202f000.', '1000 euros'],
  ['About 1.5 million people live there.', '1,500,000'],
  ['It weighs 27.50 kg.', '27.5 kg'],
  ['It is three hundred and twelve metres high.', '312 metres'],
  ['15% of the sum', '15 percent'],
  ['It opened on 3 July 2020.', 'July 3rd, 2020'],
  ['It opened on 2020-07-03.', '3 July 2020'],
  ['It opened on 03.07.2020.', 'Jul 3, 2020'],
  ['It opened on 7/23/2020.', '23 July 2020'],
  ['It opened on the 3rd of July 2020.', 'July 2020'],
  ['It opened on July 3, 2020.', '2020'],
  ['On 3 July.', 'July 3'],
  ['Yes, it is.', 'yes'],
  ['No. It closed.', 'No'],
  ['Use the sign-in page.', 'sign in'],
  ['Send an e-mail.', 'email'],
  ['The Mill’s owner', "the mill's owner"],
  ['It was Edric Sloe, the miller.', 'Edric Sloe'],
  ['?', '?'],
])('%s holds %s', (answer, reference) => {
  expect(containsAnswer(answer, reference)).toBe(true)
})

test.each([
  ['Every employee gets 72 days.', '27 days'],
  ['It weighs 2.7 kg.', '27 kg'],
  ['Sloe, Edric', 'Edric Sloe'],
  ['There is no information.', 'no'],
  ['Nobody says yes.', 'yes'],
  ['It opened on 3 July 2021.', '3 July 2020'],
  ['It opened on 7/3/2020.', '3 July 2020'],
  ['on 2020-13-03', 'March 2020'],
  ['The milling', 'mill'],
  ['', '27 days'],
  ['anything', '?'],
])('%s does not hold %s', (answer, reference) => {
  expect(containsAnswer(answer, reference)).toBe(false)
})
