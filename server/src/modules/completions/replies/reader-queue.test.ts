import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deltaOf } from '../rounds/chunk.ts'
import type { Piece } from '../rounds/run-rounds.ts'
import { joinPieces } from './join-text.ts'
import { createReaderQueue } from './reader-queue.ts'

const said = (delta: object, finish: string | null = null): Piece => ({
  kind: 'chunk',
  chunk: { id: 'c', choices: [{ index: 0, delta, finish_reason: finish }] },
})
const queueOf = (maxSize: number) =>
  createReaderQueue<Piece>({
    sizeOf: (piece) => 10 + (piece.kind === 'chunk' ? deltaOf(piece.chunk).content.length : 0),
    maxSize,
    join: joinPieces,
    resumeAt: '/resume',
  })
const read = async (queue: ReturnType<typeof queueOf>) => {
  const pieces: Piece[] = []
  try {
    for await (const piece of queue.items()) pieces.push(piece)
    return { pieces, failure: undefined }
  } catch (failure) {
    return { pieces, failure }
  }
}
const textOf = (pieces: readonly Piece[]) =>
  pieces.map((piece) => (piece.kind === 'chunk' ? deltaOf(piece.chunk).content : '')).join('')

describe('a reader of a reply that is slower than the model', () => {
  it('gets all of it, joined, with everything that is no text in its place', async () => {
    const call = said({ tool_calls: [{ index: 0, id: 'x' }] })
    const sources: Piece = { kind: 'sources', sources: [1] }
    const words = fc.array(fc.oneof(fc.string(), fc.constant(call), fc.constant(sources)), { maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(words, async (parts) => {
        const queue = queueOf(1000)
        const sent = parts.map((part) => (typeof part === 'string' ? said({ content: part }) : part))
        for (const piece of [...sent, said({}, 'stop')]) queue.push(piece)
        queue.end()
        const { pieces, failure } = await read(queue)
        expect(failure).toBeUndefined()
        expect(textOf(pieces)).toBe(textOf(sent))
        const others = (all: readonly Piece[]) =>
          all
            .map((piece) => (piece === call || piece === sources ? piece : 'text'))
            .filter((one, at, list) => one !== 'text' || list[at - 1] !== 'text')
        expect(others(pieces)).toEqual(others([...sent, said({}, 'stop')]))
        expect(pieces.at(-1)).toEqual(said({}, 'stop'))
      }),
    )
  })

  it('needs room for the text only, however many chunks it came in', async () => {
    const queue = queueOf(1000)
    for (let count = 0; count < 500; count += 1) queue.push(said({ content: 'a' }))
    queue.end()
    const { pieces, failure } = await read(queue)
    expect([textOf(pieces), failure]).toEqual(['a'.repeat(500), undefined])
    expect(pieces.length).toBeLessThan(150)
  })

  it('is told where to read on, after what there was room for, when that is too much', async () => {
    const queue = queueOf(1000)
    for (let count = 0; count < 500; count += 1) queue.push(said({ content: 'abc' }))
    const { pieces, failure } = await read(queue)
    expect(textOf(pieces)).toMatch(/^(abc){300,400}$/)
    expect(failure).toMatchObject({ code: 'reader_too_slow', message: expect.stringContaining('/resume') })
  })

  it('keeps thoughts apart from what is said', () => {
    expect(joinPieces(said({ reasoning_content: 'a' }), said({ content: 'b' }))).toEqual(
      said({ reasoning_content: 'a', content: 'b' }),
    )
    expect(joinPieces(said({ role: 'assistant', content: 'a' }), said({ content: 'b' }))).toEqual(
      said({ role: 'assistant', content: 'ab' }),
    )
    expect(joinPieces(said({ content: 'a' }), said({ content: 'b' }, 'stop'))).toBeUndefined()
  })
})
