import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fuse } from '../retrieval/fuse.ts'
import { joinNeighbours } from '../retrieval/retrieve.ts'
import { chunkText } from './chunk-text.ts'
import { detectLanguage } from './detect-language.ts'
import { searchableText } from './searchable-text.ts'

const words = fc.array(fc.constantFrom('otter', 'river.', 'stone', 'bank!', '雨', '🚀', '\n\n', '\n'), {
  maxLength: 400,
})
const options = { size: 200, overlap: 40 }

describe('chunks', () => {
  it('are never longer than the size, never empty, and hold every word of the text', () => {
    fc.assert(
      fc.property(words, (list) => {
        const text = list.join(' ').trim()
        const chunks = chunkText(text, [], options)
        const all = chunks.map((chunk) => chunk.text).join(' ')
        for (const chunk of chunks) {
          expect(chunk.text.length).toBeLessThanOrEqual(options.size)
          expect(chunk.text.trim()).not.toBe('')
          expect(chunk.text.isWellFormed()).toBe(true)
        }
        for (const word of new Set(text.split(/\s+/))) expect(all).toContain(word)
      }),
    )
  })

  it('end for any size and overlap, also in a text without spaces', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 300 }), fc.integer({ min: 0, max: 150 }), (size, overlap) => {
        const chunks = chunkText('x'.repeat(2000), [], { size, overlap: Math.min(overlap, Math.floor(size / 2)) })
        expect(chunks.length).toBeLessThan(2000)
        expect(chunks.map((chunk) => chunk.text).join('').length).toBeGreaterThanOrEqual(2000)
      }),
    )
  })

  it('start anew at a heading or a page, and join a heading with what follows it', () => {
    const content = 'Guide\n\nSetup\n\nRun it once.\n\nSecond page.'
    const marks = [
      { at: 0, heading: 'Guide' },
      { at: 7, heading: 'Guide > Setup' },
      { at: 28, page: 2, heading: 'Guide > Setup' },
    ]
    expect(chunkText(content, marks, options)).toEqual([
      { heading: 'Guide > Setup', text: 'Guide\n\nSetup\n\nRun it once.' },
      { heading: 'Guide > Setup', page: 2, text: 'Second page.' },
    ])
  })

  it('that follow each other are joined without what they share', () => {
    const text = Array.from({ length: 30 }, (_, n) => `Sentence number ${n} is here.`).join(' ')
    const rows = chunkText(text, [], options).map((chunk, position) => ({
      id: position,
      fileId: 'f',
      position,
      text: chunk.text,
      page: null,
      heading: null,
      score: 1,
      reason: {},
    }))
    expect(joinNeighbours(rows).map((passage) => passage.text.replaceAll('\n', ' '))).toEqual([text])
  })
})

describe('text in scripts without spaces', () => {
  it.each([
    ['日本語', '日本 本語 日本語'],
    ['明日 a雨', '明日 a 雨'],
    ['ﾃｽﾄ、です', 'テス スト テスト です'],
    ['𠮷野家', '𠮷野 野家 𠮷野家'],
  ])('is searched by pairs and triples of characters: %s', (text, expected) => {
    expect(searchableText(text)).toBe(expected)
  })
})

describe('the language of a text', () => {
  it.each([
    ['english', 'This is what the harbour was built for, and it is not open.'],
    ['german', 'Das ist nicht der Hafen, den wir mit dem Boot gesucht haben.'],
    ['french', 'Le port est dans la ville et les bateaux sont pour une fête.'],
    ['spanish', 'El puerto es para los barcos que no tienen una bandera.'],
    ['russian', 'Это не то, что мы искали в порту, и он был закрыт.'],
    ['simple', '東京の天気は晴れです'],
  ])('is %s', (language, text) => {
    expect(detectLanguage(searchableText(text))).toBe(language)
  })
})

describe('fusion', () => {
  const text = (coverage: number) => [1, 2, 3].map((id) => ({ id, score: 4 - id, coverage }))
  const vectors = [3, 4, 5].map((id) => ({ id, score: 1 / id }))

  it('follows the words when they cover the question, and the vectors when they don’t', () => {
    const others = vectors.slice(1)
    expect(fuse(text(1), others, 5)[0]?.id).toBe(1)
    expect(fuse(text(0.2), others, 5)[0]?.id).toBe(4)
  })

  it('puts first what both find, keeps all, and needs neither', () => {
    expect(fuse(text(0.6), vectors, 5)[0]?.id).toBe(3)
    expect(fuse(text(0.6), vectors, 9)).toHaveLength(5)
    expect(fuse(text(0.6), [], 2).map(({ id }) => id)).toEqual([1, 2])
    expect(fuse([], [], 5)).toEqual([])
  })
})
