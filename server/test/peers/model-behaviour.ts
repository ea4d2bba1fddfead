/** The script that a test gives a model peer for a request, and the gate that holds its chunks back. */
import type { IncomingHttpHeaders } from 'node:http'

/** Each field is optional; `{}` is a normal reply that repeats the last thing the user said. */
export interface Behaviour {
  /** The model's text, in one chunk. */
  text?: string
  /** The model's text, chunk by chunk. The whole form joins them. */
  chunks?: readonly string[]
  /** Thought before it speaks, chunk by chunk. */
  reasoning?: readonly string[]
  toolCalls?: readonly ScriptedToolCall[]
  finishReason?: string
  /** Defaults to 10 tokens in and one per chunk out. Null: the peer never reports usage. */
  usage?: { prompt: number; completion: number } | null

  /** Refuses before the first byte. An object becomes JSON, a string goes out as it is (HTML, say). */
  fail?: { status: number; body?: unknown; contentType?: string; headers?: Record<string, string> }
  /** 400 whenever the request has `stream_options`. The refused request does not use the behaviour up. */
  refusesStreamOptions?: boolean
  /** Takes the request and never answers. */
  hangs?: boolean

  /** Each chunk waits for it (a reply that is not streamed waits once). */
  gate?: Gate
  /** Streams this many chunks, then falls silent with the connection open. */
  hangsAfter?: number
  /** Streams this many chunks, then an error frame, then ends. */
  errorAfter?: number
  /** Streams this many chunks, then half a frame, then cuts the connection. */
  cutsAfter?: number
  /** Writes the stream in pieces of so many bytes, through the middle of lines and of characters. */
  splitsAt?: number
  /** The words [DONE] at the end of an event stream: once unless told. */
  done?: 'once' | 'twice' | 'never'
  /** Sent with status 200 instead of the right one. */
  contentType?: string
  /** Sent instead of the whole stream or reply, byte for byte. Also for invalid UTF-8, see `invalidUtf8`. */
  bytes?: Uint8Array | string
}

export interface ScriptedToolCall {
  id?: string
  name: string
  /** A string goes out as it is, also where it is no JSON. */
  arguments: Record<string, unknown> | string
}

/** A request as the peer received it. */
export interface PeerRequest {
  method: string
  /** With its query. */
  path: string
  headers: IncomingHttpHeaders
  /** Parsed JSON, or undefined. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever was sent.
  body: any
  bytes: Buffer
  /** Resolves when the exchange is over: true where the peer could say all it had. */
  ended: Promise<boolean>
}

/** Holds chunks back until the test lets them through; no test needs a timer. */
export interface Gate {
  /** Lets so many more chunks pass. */
  open(chunks?: number): void
  openForGood(): void
  pass(): Promise<void>
}

export const gate = (): Gate => {
  let free = 0
  const waiting: (() => void)[] = []
  const open = (chunks = 1): void => {
    free += chunks
    while (free > 0 && waiting.length > 0) {
      free -= 1
      waiting.shift()?.()
    }
  }
  return {
    open,
    openForGood: () => open(Number.POSITIVE_INFINITY),
    async pass() {
      if (free > 0) free -= 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
    },
  }
}

/** Bytes of a stream with one character broken: give it a text and a piece of it to break. */
export const invalidUtf8 = (text: string, at: string): Buffer => {
  const [before = '', after = ''] = text.split(at)
  return Buffer.concat([Buffer.from(before), Buffer.from([0xff, 0xc3]), Buffer.from(after)])
}
