/** The network cuts a provider's stream anywhere. What a caller gets, and what is counted, does not depend on where. */
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { flowOf } from '#kernel/bytes/byte-flow.ts'
import { writeBytes } from '#modules/completions/forward-bytes.ts'
import { CountedFlow, type StreamEnd } from '#modules/models/stream/counted-flow.ts'

const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'swift-2026-01' }
const chunk = (delta: object, more: object = {}, finish: string | null = null) =>
  `data: ${JSON.stringify({ ...head, ...more, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] })}\n\n`
const usage = { prompt_tokens: 11, completion_tokens: 22, total_tokens: 33 }
const usageFrame = `data: ${JSON.stringify({ ...head, choices: [], usage })}\n\n`
const words = [
  'Grüße',
  ' „so“',
  ' \\"',
  ' 😀',
  ' a',
  '\n\nb',
  ' "usage":{',
  ' "model":"swift-2026-01"',
  ' data: [DONE]',
]
const said = (more: object = {}) => words.map((content) => chunk({ content }, more)).join('')
const stop = chunk({}, {}, 'stop')
const done = 'data: [DONE]\n\n'

/** As the servers in use send them. */
const recorded: Record<string, string> = {
  'a provider':
    chunk({ role: 'assistant', content: '' }, { usage: null }) + said({ usage: null }) + stop + usageFrame + done,
  'a relay': `: PROCESSING\n\n: PROCESSING\n\n${said({ provider: 'x', sources: [{}] })}${stop}${usageFrame}${done}`,
  'a server that thinks': chunk({ reasoning_content: 'hm', content: null }) + said() + stop + done,
  'a server that counts in each frame': said({ usage }) + chunk({}, { usage }, 'stop') + done,
  'a server that pads': words.map((content, at) => chunk({ content }, { obfuscation: 'x'.repeat(at) })).join('') + done,
  'a server that spaces': (said() + stop + done).replaceAll('":', '": ').replaceAll('data: {', 'data:{'),
  'a server that names frames':
    (said() + stop + usageFrame).replaceAll('data: {', 'event: message\nid: 7\ndata: {') + done,
  'one that forges events': said() + chunk({ content: 'x' }, { event: { type: 'execute' } }) + said() + stop + done,
  'one that fails': `${said()}data: {"error":{"message":"overloaded","code":503},"sources":[]}\n\n`,
  'one that fails at once': 'event: error\ndata: {"error":{"message":"overloaded"}}\n\n',
  'one that breaks off': said() + stop.slice(0, 40),
  'one that sends no JSON': `${said()}data: nope\n\n${said()}`,
  'one that ends early': said() + stop.trimEnd(),
  'one that says nothing': '',
}

/** Bytes cut anywhere, through the middle of characters and line ends. */
const cut = (bytes: Buffer, offsets: readonly number[]): Buffer[] => {
  const ends = [...new Set(offsets.map((offset) => offset % (bytes.length + 1)))].sort((one, other) => one - other)
  return [0, ...ends]
    .map((from, index) => bytes.subarray(from, ends[index] ?? bytes.length))
    .filter(({ length }) => length > 0)
}

interface Sent {
  /** What the caller gets, byte by byte; or the code they are refused with. */
  bytes: string
  /** Without the bytes that had arrived, which depend on the cuts. */
  counted: Omit<StreamEnd, 'bytes'> | undefined
}

const sent = async (pieces: readonly Buffer[], cutsUsage: boolean): Promise<Sent> => {
  let counted: Sent['counted']
  const onEnd = ({ bytes: _bytes, ...end }: StreamEnd): void => {
    counted = end
  }
  const flow = new CountedFlow(flowOf(Readable.from(pieces)), { cutsUsage, model: 'ours "swift"', onEnd })
  try {
    await flow.begun
  } catch (problem) {
    return { bytes: `${problem}`, counted }
  }
  const written: Buffer[] = []
  const take = (piece: string | Uint8Array) => written.push(Buffer.from(piece)) > 0
  const outlet = {
    write: take,
    end: take,
    drained: async () => undefined,
    waiting: 0,
    isOpen: true,
    onClose: () => undefined,
  }
  await writeBytes(flow, outlet)
  return { bytes: Buffer.concat(written).toString('latin1'), counted }
}

describe.each(Object.entries(recorded))('the stream of %s', (_whose, text) => {
  it.each([
    ['\\n', '\n'],
    ['\\r\\n', '\r\n'],
    ['\\r', '\r'],
  ])('comes out as the same bytes wherever it is cut, with lines that end in %s', async (_name, lineEnd) => {
    const bytes = Buffer.from(text.replaceAll('\n', lineEnd))
    for (const start of [bytes, Buffer.concat([Buffer.from('\ufeff'), bytes])])
      for (const cutsUsage of [true, false]) {
        const whole = await sent([start], cutsUsage)
        expect(whole.bytes).not.toMatch(/sources|execute|"model": ?"swift/)
        const offsets = fc.array(fc.nat(start.length), { maxLength: 30 })
        await fc.assert(
          fc.asyncProperty(offsets, async (at) => {
            expect(await sent(cut(start, at), cutsUsage)).toEqual(whole)
          }),
          { numRuns: 40 },
        )
        expect(await sent(cut(start, [...start.keys()]), cutsUsage)).toEqual(whole)
      }
  })
})
