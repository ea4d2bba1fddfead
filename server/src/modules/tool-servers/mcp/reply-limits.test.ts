import fc from 'fast-check'
import { expect, it } from 'vitest'
import { limitReplies, mostBytes, mostMessages, mostParts, mostRequests } from './reply-limits.ts'

const streamOf = (pieces: readonly Uint8Array<ArrayBuffer>[]) =>
  new Response(
    new ReadableStream({
      start: (controller) => {
        for (const piece of pieces) controller.enqueue(piece)
        controller.close()
      },
    }),
    { headers: { 'content-type': 'text/event-stream; charset=utf-8' } },
  )

/** The text in pieces that end anywhere. */
const cut = (text: string, at: readonly number[]): Uint8Array<ArrayBuffer>[] => {
  const bytes = new TextEncoder().encode(text)
  const ends = [...new Set(at.map((one) => one % (bytes.length + 1))), bytes.length].sort((one, other) => one - other)
  return ends.map((end, index) => bytes.slice(ends[index - 1] ?? 0, end))
}

it('counts events however their lines end and wherever the bytes are cut, and lets what fits pass unchanged', async () => {
  const lineEnds = fc.constantFrom('\n', '\r\n', '\r')
  await fc.assert(
    fc.asyncProperty(lineEnds, fc.boolean(), fc.array(fc.nat(), { maxLength: 8 }), async (end, isOver, at) => {
      const event = `event: message${end}data: {}${end}${end}`
      const text = event.repeat(mostMessages + (isOver ? 1 : 0))
      const { fetch, exceeded } = limitReplies(async () => streamOf(cut(text, at)))
      const reading = (await fetch('http://127.0.0.1')).text()
      if (!isOver) {
        expect(await reading).toBe(text)
        return
      }
      await expect(reading).rejects.toThrow('too many messages')
      await expect(exceeded).rejects.toThrow('too many messages')
    }),
    { numRuns: 30 },
  )
})

it('counts bytes, messages and replies over the whole connection', async () => {
  const half = new Uint8Array(mostBytes / 2 + 1)
  const bytes = limitReplies(async () => new Response(half))
  await (await bytes.fetch('http://127.0.0.1')).arrayBuffer()
  await expect((await bytes.fetch('http://127.0.0.1')).arrayBuffer()).rejects.toThrow('too many bytes')

  const batch = JSON.stringify(Array.from({ length: mostMessages / 2 + 1 }, () => ({})))
  const messages = limitReplies(async () => new Response(batch, { headers: { 'content-type': 'application/json' } }))
  expect(await (await messages.fetch('http://127.0.0.1')).text()).toBe(batch)
  await expect(messages.fetch('http://127.0.0.1')).rejects.toThrow('too many messages')

  const replies = limitReplies(async () => new Response(null, { status: 202 }))
  for (let count = 0; count < mostRequests; count += 1) await replies.fetch('http://127.0.0.1')
  await expect(replies.fetch('http://127.0.0.1')).rejects.toThrow('too many requests')
})

it('counts the parts of the JSON in all messages, but not what stands in its texts', async () => {
  const texts = fc.array(fc.constantFrom('"', '\\', ',', '[', '{', ':', 'a', '\n'), { maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(texts, fc.boolean(), fc.array(fc.nat(), { maxLength: 8 }), async (letters, isOver, at) => {
      const text = letters.join('')
      // One for the name of the field, two for the list, and one for the comma.
      const list = Array.from({ length: mostParts - 3 + (isOver ? 1 : 0) }, () => 0)
      const event = `data: ${JSON.stringify([text, list])}\n\n`
      const { fetch } = limitReplies(async () => streamOf(cut(event, at)))
      const reading = (await fetch('http://127.0.0.1')).text()
      if (isOver) await expect(reading).rejects.toThrow('too many parts')
      else expect(await reading).toBe(event)
    }),
    { numRuns: 10 },
  )
})
