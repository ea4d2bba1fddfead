import { describe, expect, it } from 'vitest'
import { excerptOf, type PageText, questionPrompt, readAnswer } from './prompt.ts'

const page = (number: number, text: string): PageText => ({ fileId: 'f', fileName: 'Lease.pdf', page: number, text })

describe('what a model is told about a document', () => {
  it('is whole pages from the start, as many as fit, and it is said when there were more', () => {
    const long = 'x'.repeat(40_000)
    expect(excerptOf([page(1, long), page(2, long)])).toMatchObject({ pages: [{ page: 1 }], isPartial: true })
    expect(excerptOf([page(1, 'a'), page(2, 'b')])).toMatchObject({
      pages: [{ page: 1 }, { page: 2 }],
      isPartial: false,
    })
    const [only] = excerptOf([page(1, 'x'.repeat(90_000))]).pages
    expect(only?.text).toHaveLength(60_000)
  })

  it('holds the pages with their numbers, and the question apart from them', () => {
    const [system, user] = questionPrompt(excerptOf([page(1, 'Rent: 900')]), 'How much?')
    expect(system?.content).toContain('[1] Lease.pdf\nRent: 900')
    expect(user).toEqual({ role: 'user', content: 'How much?' })
  })
})

describe('the answer of a model', () => {
  it('cites pages in the order in which it names them, and none that does not exist', () => {
    const excerpt = excerptOf([page(1, 'a'), page(2, 'b'), page(7, 'c')])
    expect(readAnswer('900 [3]. Monthly [1] [3] [99].', excerpt)).toEqual({
      answer: '900 [1]. Monthly [2] [1].',
      citations: [
        { fileId: 'f', fileName: 'Lease.pdf', page: 7 },
        { fileId: 'f', fileName: 'Lease.pdf', page: 1 },
      ],
    })
  })
})
