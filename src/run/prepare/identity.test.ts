import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filesOf } from '../../define.ts'
import { graphrag } from '../../methods/graphrag/graphrag.ts'
import { folderOf } from '../../test-support/dataset-copies/write-files.ts'
import { optionsByContent } from './identity.ts'

test('a published index is identified by the content of its files, not by its path', async () => {
  const folder = folderOf({ 'here/entities.jsonl': '{}\n' })
  const [here, there] = [join(folder, 'here'), join(folder, 'there')]
  await cp(here, there, { recursive: true })
  const optionsOf = (index: string | null) => graphrag.options.parse({ index })
  const of = (index: string | null) => optionsByContent(graphrag, optionsOf(index))
  expect(filesOf(graphrag.options, optionsOf(here))).toEqual([['index', here]])
  const first = await of(here)
  expect(await of(there)).toEqual(first)
  await writeFile(join(there, 'entities.jsonl'), '{ }\n')
  expect(await of(there)).not.toEqual(first)
  expect(await of(null)).not.toHaveProperty('index')
  await expect(of(join(folder, 'nowhere'))).rejects.toThrow('option "index" of graphrag: cannot read')
})
