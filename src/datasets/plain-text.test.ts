import { expect, test } from 'vitest'
import { plainText } from './quality.ts'

test.each([
  ['plain text stays', 'One.\n\n  Two <cough> & three.', 'One.\n\n  Two <cough> & three.'],
  ['but for its ends', ' \n One.\n', 'One.'],
  ['a bracketed remark is no markup', '<3 apples', '<3 apples'],
  ['paragraphs and breaks', '<p>\n One\ntwo.\n</p>\n<p>\n Three<br/>four.\n</p>', 'One two.\n\nThree\nfour.'],
  ['breaks part words (v1.0)', '<p>Belgian<br/>politics</p>', 'Belgian\npolitics'],
  ['two breaks part paragraphs (v1.0.1)', '<p>a<br/> <br/>b</p>', 'a\n\nb'],
  ['inline marks', '<html><body>See <i>this</i>, <b>now</b>.</body></html>', 'See this, now.'],
  ['a head goes', '<!DOCTYPE html>\n<html>\n<head><title>T</title></head>\n<p>Body</p></html>', 'Body'],
  ['a comment at the start is markup', '<!-- by hand -->\n<p>One</p><!-- x -->', 'One'],
  ['a comment and a head that never end stay', '<p>a <!-- b <head> c', 'a  c'],
  ['entities once', '<p>a &lt;b&gt; &amp;lt; &amp; c</p>', 'a <b> &lt; & c'],
])('%s', (_, article, text) => {
  expect(plainText(article)).toBe(text)
})
