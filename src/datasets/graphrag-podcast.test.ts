import { renameSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { copyOf } from '../test-support/dataset-copies/dataset-copies.ts'
import { folderOf } from '../test-support/dataset-copies/write-files.ts'
import { gather } from '../testing/dataset.ts'
import { graphragPodcast } from './graphrag-podcast.ts'

const read = async (path: string) => (await gather(graphragPodcast.corpora(path, {})))[0]!

const archive = 'Kevin Scott Podcast Transcripts Input Text.zip'

/** A folder with one question and these parts. */
const copyWith = (parts: Readonly<Record<string, string | Uint8Array>>): string => {
  const bytesOf = (content: string | Uint8Array) => (typeof content === 'string' ? strToU8(content) : content)
  const texts = Object.entries(parts).map(([name, content]) => [`input/${name}`, bytesOf(content)] as const)
  const questions = { 'Kevin Scott Questions.csv': 'question_text,question_id\nWhat?,1\n' }
  return folderOf({ ...questions, [archive]: zipSync(Object.fromEntries(texts)) })
}

test('joins the parts of an episode in order without the overlap between them', async () => {
  const { documents, questions } = await read(copyOf('graphrag-podcast'))
  expect(documents.map(({ id }) => id).sort()).toEqual(['EP-02_ Tide', 'Ep-1_The Bells'])
  const { text } = documents.find(({ id }) => id === 'Ep-1_The Bells')!
  expect(text).toMatch(/^Ep-1_The Bells\.txt Gret is old\.\nA bell was .* It was cracked\. It rings\.\n$/)
  expect(text.match(/cracked/g)).toHaveLength(1)
  expect(questions).toMatchObject([
    { id: 'g1', text: 'Which bells recur?', reference: { kind: 'summary', accepted: [] } },
    { id: 'g2', text: 'Who casts, and who rings?' },
  ])
})

test('sorts parts by number', async () => {
  const parts = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`E-part${at + 1}.txt`, `E.txt ${at + 1};`]))
  expect((await read(copyWith(parts))).documents[0]?.text).toBe('E.txt 1;2;3;4;5;6;7;8;9;10;11;')
})

test('rejects a damaged archive, and a text that is not UTF-8, in one line', async () => {
  const path = copyWith({ 'E-part1.txt': new Uint8Array([0xff, 0xfe, 0xff]) })
  await expect(read(path)).rejects.toThrow('cannot be unpacked as zip')
  writeFileSync(join(path, archive), 'no zip')
  await expect(read(path)).rejects.toThrow('cannot be unpacked as zip')
})

test('finds files under the names that "data get" gives them', async () => {
  const path = copyWith({ 'E-part1.txt': 'a' })
  renameSync(join(path, 'Kevin Scott Questions.csv'), join(path, 'Kevin_Scott_Questions.csv'))
  renameSync(join(path, archive), join(path, archive.replaceAll(' ', '_')))
  expect((await graphragPodcast.files(path, {})).map((file) => basename(file))).toEqual([
    'Kevin_Scott_Podcast_Transcripts_Input_Text.zip',
    'Kevin_Scott_Questions.csv',
  ])
})
