import { z } from 'zod'
import { jsonOnly, jsonTask, numberIn, samples, textShape } from './task.ts'
import { readVerdictReply } from './verdict-reply.ts'
import { containsAnswer } from '../text/contains-answer.ts'
import { parseVerdict } from '../text/verdict.ts'
import { judge, preference } from './stand-ins/judging.ts'
import { questionAbout } from './stand-ins/facts.ts'

/** A verdict, requested as 1 or 0; models also write true, "1" or yes. */
export const verdictShape = z.preprocess(
  (value) => parseVerdict(value) ?? value,
  // a number in the JSON schema for servers
  z.number('neither 1 nor 0').refine((verdict) => verdict === 0 || verdict === 1, 'neither 1 nor 0'),
)

const samplePassage = 'The lighthouse on Cape Wrath was built in 1828. Robert Stevenson planned it.'

const verdictWithReason = {
  output: z.object({ reason: textShape, verdict: verdictShape }),
  readsAlso: readVerdictReply,
}

/** Whether a passage helps to find the correct answer (RAGAS context precision). */
export const judgeUsefulness = jsonTask({
  name: 'judge-usefulness',
  version: 4,
  sample: {
    question: samples.question,
    answer: 'Robert Stevenson',
    passage: samplePassage,
  },
  replyTokens: () => 50,
  whole: true,
  ...verdictWithReason,
  offline({ question, answer, passage }) {
    // a bare yes or no occurs in no passage
    const { reason, verdict } = judge(passage)(/^\W*(?:yes|no)\W*$/i.test(answer) ? question : `${question} ${answer}`)
    return { reason, verdict }
  },
  system: [
    `You judge whether a passage helps to find the reference answer to a question, alone or as one step. The verdict is 1 if it helps and 0 if it does not. Treat the reference answer as correct, even if you believe otherwise.
${jsonOnly}. For example, for the question "Who built Arden Mill?" and the reference answer "John Bell":
for the passage "Arden Mill was built by John Bell in 1790."
{"reason": "The passage names the builder of the mill.", "verdict": 1}
for the passage "Maidstone is a town in Kent."
{"reason": "The passage says nothing about the mill or its builder.", "verdict": 0}`,
    'Passage:\n{{passage}}',
  ],
  user: 'Question: {{question}}\nReference answer: {{answer}}',
  maxTokens: 512,
})

/** Whether an answer is equivalent to an accepted answer. */
export const judgeAnswer = jsonTask({
  name: 'judge-answer',
  version: 3,
  sample: {
    question: samples.question,
    accepted: ['Robert Stevenson'],
    answer: 'It was planned by Robert Stevenson in 1828.',
  },
  replyTokens: () => 50,
  whole: true,
  ...verdictWithReason,
  offline: ({ question, accepted, answer }) => ({
    reason: 'Whether the answer contains an accepted answer.',
    verdict: accepted.some((text) => containsAnswer(answer, text, question)) ? 1 : 0,
  }),
  system: `You judge whether an answer to a question agrees with the reference answer. The verdict is 1 if it gives the same answer in any words, and 0 if it gives another answer, omits a part of it, or does not answer. Additional details do not matter, unless they contradict the reference answer. Treat the reference answer as correct, even if you believe otherwise. If there are several reference answers, one is enough. If the reference answer is "Unanswerable", the answer must say that there is none.
${jsonOnly}. For example, for the question "When did Arden Mill close?" and the reference answer "May 1920":
to the answer "A fire shut the mill down in May of 1920."
{"reason": "It names the month and the year.", "verdict": 1}
to the answer "The mill closed in the spring of 1912."
{"reason": "It names another year.", "verdict": 0}`,
  user: ({ question, accepted, answer }) =>
    `Question: ${question}\nReference answer: ${accepted.join('\nor: ')}\nAnswer to judge: ${answer}`,
  maxTokens: 512,
})

/** Verdicts on a turn, worst first. */
export const turnVerdicts = ['choke', 'inaccurate', 'correct'] as const

/** Whether a reply is consistent with the speaker's knowledge (HLGraphRAG, chokes; our wording). */
export const judgeTurn = jsonTask({
  name: 'judge-turn',
  sample: {
    knowledge: samplePassage,
    roles: { asks: 'user1', replies: 'user2' },
    message: 'And who planned it?',
    reply: 'Robert Stevenson planned it.',
    gold: 'That was Robert Stevenson.',
  },
  replyTokens: () => 60,
  whole: true,
  output: z.object({
    reason: textShape,
    verdict: z.preprocess(
      (value) => (typeof value === 'string' ? value.trim().toLowerCase() : value),
      z.enum(turnVerdicts),
    ),
  }),
  offline({ knowledge, gold, reply }) {
    const { reason, verdict, share } = judge(`${gold}\n\n${knowledge}`)(reply)
    return { reason, verdict: verdict === 1 ? 'correct' : share >= 0.3 ? 'inaccurate' : 'choke' }
  },
  system: [
    `You judge a reply in a conversation by what the speaker knows. The verdict is
"choke" if the reply severely contradicts that knowledge or forgets what the speaker must know,
"inaccurate" if it deviates from it in something small,
"correct" if it is accurate. It need not say the same as the real reply, which is one good reply among others.
${jsonOnly}. For example, where the speaker knows "John Bell built Arden Mill in 1790. A fire closed it in May 1920.", was asked "Who built the mill?" and really said "John Bell did":
to the reply "I do not know any mill."
{"reason": "The speaker knows the mill and its builder.", "verdict": "choke"}
to the reply "John Bell, in 1795."
{"reason": "The builder is right, the year is not.", "verdict": "inaccurate"}
to the reply "It was built by John Bell."
{"reason": "This is what the speaker knows.", "verdict": "correct"}`,
    ({ knowledge, roles: { replies } }) => knowledge && `What ${replies} knows:\n${knowledge}`,
  ],
  user: '{{roles.asks}} said: {{message}}\n{{roles.replies}} really replied: {{gold}}\nThe reply to be judged: {{reply}}',
  maxTokens: 512,
})

/** Criteria of comparisons. Directness is the control: it penalises long answers. */
export const comparedOn = {
  comprehensiveness: 'Which answer covers more of the aspects and details that the question asks for?',
  diversity: 'Which answer is richer in different perspectives and insights on the question?',
  empowerment: 'Which answer helps its reader better to understand the subject and to judge it well?',
  directness: 'Which answer addresses the question more directly, without what was not asked for?',
  informativeness: 'Which answer tells more that is of use to someone who asks this question?',
} as const

export type Criterion = keyof typeof comparedOn

export const isCriterion = (name: string): name is Criterion => Object.hasOwn(comparedOn, name)

function askedOn(name: string): string {
  if (isCriterion(name)) return comparedOn[name]
  throw new RangeError(`the criterion ${name} does not say what is asked`)
}

/** Two answers to a question, in the order of the prompt. */
export interface CompareAnswersInput {
  readonly question: string
  readonly criterion: string
  /** The question for the judge, for a custom criterion. */
  readonly asks?: string
  readonly first: string
  readonly second: string
}

/** The better answer: 1, 2, or 0 for a tie. */
export interface Comparison {
  readonly reason: string
  readonly winner: 0 | 1 | 2
}

/** Which of two answers is better on one criterion (GraphRAG, section 4; benchmark-qed; our wording). */
export const compareAnswers = jsonTask<CompareAnswersInput, Comparison>({
  name: 'compare-answers',
  version: 2,
  sample: {
    question: samples.question,
    criterion: 'comprehensiveness',
    first: 'Robert Stevenson.',
    second: 'Robert Stevenson planned it, and it was built in 1828.',
  },
  replyTokens: () => 60,
  whole: true,
  output: z.object({ reason: textShape, winner: z.preprocess(numberIn, z.literal([0, 1, 2])) }),
  offline: ({ question, criterion, first, second }) => preference(question, criterion, first, second),
  system: ({ criterion, asks }) => `You compare two answers to a question on one criterion alone:
${asks ?? askedOn(criterion)}
The winner is 1 if the first answer is better on it, 2 if the second is, and 0 if they are about as good. The order of the answers, and their length by itself, must not matter. First give the reason in one or two sentences, then the winner.
${jsonOnly}. For example, asked which answer names more of those who worked at a mill:
to the first answer "John Bell and his two sons." and the second answer "John Bell."
{"reason": "The first answer names the sons as well.", "winner": 1}
to the first answer "A miller." and the second answer "John Bell, and later Ann Reed."
{"reason": "The second answer names two people, the first none.", "winner": 2}`,
  user: 'Question: {{question}}\n\nFirst answer:\n{{first}}\n\nSecond answer:\n{{second}}',
  maxTokens: 512,
})

/** The question of an answer, and whether the answer is noncommittal (RAGAS answer relevancy). */
export const questionOfAnswer = jsonTask({
  name: 'question-of-answer',
  version: 3,
  sample: { answer: samples.fact, index: 0 },
  replyTokens: () => 30,
  whole: true,
  output: z.object({ question: z.string().trim(), noncommittal: verdictShape }),
  offline: ({ answer, index }) => ({
    question: questionAbout(answer, index),
    noncommittal: noncommittal.test(answer) ? 1 : 0,
  }),
  system: `You write the question that an answer was given to. Write as well whether the answer is noncommittal: 1 if it evades the question, stays vague or says that it does not know, and 0 if it says something definite.
${jsonOnly}. For example, for the answer "Arden Mill was built by John Bell.":
{"question": "Who built Arden Mill?", "noncommittal": 0}
for the answer "It is hard to say why the mill was closed.":
{"question": "Why was the mill closed?", "noncommittal": 1}`,
  // the number makes prompts distinct: equal prompts would share one cached response
  user: ({ answer, index }) =>
    `Answer: ${answer}\n\nWrite question number ${index + 1} that this may be the answer to.`,
  maxTokens: 256,
})

const noncommittal =
  /\b(?:unanswerable|no information|(?:is|are|was|were|remains?) (?:unknown|unclear)|(?:not|cannot)(?: be)? (?:known|sure|certain|clear|determined|answered|stated|mentioned)|(?:I|we) (?:do not|don['’]t|cannot|can['’]t) (?:know|tell|say)|(?:context|text|passages?) (?:do(?:es)?(?: not|n['’]t)|cannot|can['’]t) (?:say|tell|state|mention))\b/i
