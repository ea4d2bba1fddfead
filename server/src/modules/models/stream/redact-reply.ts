/**
 * Removes the connection's own key from everything that a provider sends: some repeat it in errors, in frames in the
 * middle of a stream, or in debug fields. Every reply of a connection passes here, so no caller has to think of it.
 */
import type { Readable } from 'node:stream'
import { type ByteFlow, type ByteSink, streamOf } from '#kernel/bytes/byte-flow.ts'
import { replaceBytes } from '#kernel/bytes/replace-bytes.ts'
import { type OutboundReply, readReplyJson } from '#kernel/outbound/index.ts'

const replacement = Buffer.from('[redacted]')

/**
 * The spellings to search for; none for words that people enter where a server wants any key at all (`ollama`, `none`):
 * a model may well write those.
 */
export const spellingsOf = (key: string | null): string[] => {
  if (key === null) return []
  const isSecret = key.length >= 10 || key.startsWith('sk-') || (key.length >= 6 && /\d/.test(key))
  if (!isSecret) return []
  const json = JSON.stringify(key).slice(1, -1)
  return [...new Set([key, json, json.replaceAll('/', '\\/')])]
}

export const redactReply = (reply: OutboundReply, spellings: readonly string[]): OutboundReply =>
  spellings.length === 0 ? reply : new RedactedReply(reply, spellings)

const redactText = (text: string, spellings: readonly string[]): string =>
  spellings.reduce((rest, spelling) => rest.replaceAll(spelling, String(replacement)), text)

class RedactedReply implements OutboundReply {
  readonly #reply: OutboundReply
  readonly #spellings: readonly string[]

  constructor(reply: OutboundReply, spellings: readonly string[]) {
    this.#reply = reply
    this.#spellings = spellings
  }

  get status(): number {
    return this.#reply.status
  }

  get headers(): ReadonlyMap<string, string> {
    return this.#reply.headers
  }

  get url(): string {
    return this.#reply.url
  }

  get body(): Readable {
    return streamOf(this.flow())
  }

  flow(): ByteFlow {
    return redactFlow(this.#reply.flow(), new ByteRedactor(this.#spellings))
  }

  async bytes(): Promise<Buffer> {
    return Buffer.from(await this.text())
  }

  async text(): Promise<string> {
    return redactText(await this.#reply.text(), this.#spellings)
  }

  async json(): Promise<unknown> {
    return readReplyJson(await this.text())
  }

  discard(): void {
    this.#reply.discard()
  }
}

const redactFlow = (source: ByteFlow, redactor: ByteRedactor): ByteFlow => ({
  pipeTo: (sink: ByteSink) =>
    source.pipeTo({
      take: (bytes) => {
        const passed = redactor.push(bytes)
        if (passed.length > 0) sink.take(passed)
      },
      end: () => {
        const rest = redactor.rest()
        if (rest) sink.take(rest)
        sink.end()
      },
      fail: (problem) => sink.fail(problem),
    }),
  pause: () => source.pause(),
  resume: () => source.resume(),
  close: (problem) => source.close(problem),
  onClosed: (listener) => source.onClosed(listener),
})

/** The same for bytes that arrive cut anywhere: what may be the start of the key waits for the next piece. */
class ByteRedactor {
  readonly #spellings: readonly Buffer[]
  readonly #isInKey = new Uint8Array(256)
  #held: Buffer | undefined

  constructor(spellings: readonly string[]) {
    // Longer spellings first: one may hold another.
    this.#spellings = spellings.map((one) => Buffer.from(one)).sort((one, other) => other.length - one.length)
    for (const spelling of this.#spellings) for (const byte of spelling) this.#isInKey[byte] = 1
  }

  push(bytes: Buffer): Buffer {
    const all = this.#held ? Buffer.concat([this.#held, bytes]) : bytes
    this.#held = undefined
    const redacted = this.#spellings.reduce((rest, spelling) => replaceBytes(rest, spelling, replacement), all)
    const count = this.#heldBack(redacted)
    if (count === 0) return redacted
    this.#held = redacted.subarray(redacted.length - count)
    return redacted.subarray(0, redacted.length - count)
  }

  rest(): Buffer | undefined {
    const held = this.#held
    this.#held = undefined
    return held
  }

  /** The length of the longest end of the bytes with which a spelling starts. Nearly always the last byte rules it out. */
  #heldBack(bytes: Buffer): number {
    if (this.#isInKey[bytes[bytes.length - 1] ?? 0] !== 1) return 0
    return Math.max(...this.#spellings.map((spelling) => overlap(bytes, spelling)))
  }
}

const overlap = (bytes: Buffer, spelling: Buffer): number => {
  for (let count = Math.min(spelling.length - 1, bytes.length); count > 0; count -= 1)
    if (bytes.subarray(bytes.length - count).equals(spelling.subarray(0, count))) return count
  return 0
}
