import { expect, it } from 'vitest'
import { closedFrame } from './frame.ts'

it.each([':', ':\r', '\n', '\r:x'])('tells a comment from no frame at once, with however many of %j', (piece) => {
  expect(closedFrame(Buffer.from(`${piece.repeat(100_000)}\rx`))).toBeUndefined()
})
