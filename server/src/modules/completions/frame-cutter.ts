/**
 * Cuts a byte stream of server-sent events between frames, so that a failure in the middle of one can still be told in a
 * frame of its own. Almost every piece ends where a frame ends, and passes untouched.
 */
export interface FrameCutter {
  /** What is whole by now; undefined when nothing is. */
  push(bytes: Buffer): Buffer | undefined
  /** Whether part of a frame has gone out already, because it was too long to be held back. */
  readonly isWithinFrame: boolean
  end(): FrameEnd
}

export interface FrameEnd {
  /** `[DONE]` was said. */
  isDone: boolean
  /** The last frame says why the model stopped, or what it used. */
  isFinished: boolean
  /** A last frame that lacks its blank line, with it. */
  rest: string
}

const maxHeld = 1024 * 1024
const lf = 10

const endsFrame = (bytes: Buffer): boolean => {
  const { length } = bytes
  return bytes[length - 1] === lf && (bytes[length - 2] === lf || bytes.subarray(-4).equals(windowsEnd))
}
const windowsEnd = Buffer.from('\r\n\r\n')

/** One past the last whole frame. */
const lastEnd = (bytes: Buffer): number => {
  const plain = bytes.lastIndexOf('\n\n')
  const windows = bytes.lastIndexOf(windowsEnd)
  return Math.max(plain < 0 ? 0 : plain + 2, windows < 0 ? 0 : windows + 4)
}

/** How much of the end is read for the last words; the last chunk of a stream is short. */
const tailBytes = 4096
const saysWhy = /"finish_reason"\s*:\s*"|"usage"\s*:\s*\{/

export const createFrameCutter = (): FrameCutter => {
  let held: Buffer | undefined
  let last: Buffer = Buffer.alloc(0)
  let isWithinFrame = false

  const pass = (bytes: Buffer): Buffer => {
    last = bytes
    return bytes
  }
  const restOf = (): string => {
    if (!held) return ''
    const text = held.toString('utf8').trim()
    const data = text.startsWith('data:') ? text.slice(5).trim() : ''
    return data === '[DONE]' || isJson(data) ? `${text}\n\n` : ''
  }
  return {
    get isWithinFrame() {
      return isWithinFrame
    },
    push: (chunk) => {
      const bytes = held ? Buffer.concat([held, chunk]) : chunk
      held = undefined
      if (endsFrame(bytes)) {
        isWithinFrame = false
        return pass(bytes)
      }
      const end = lastEnd(bytes)
      if (bytes.length - end > maxHeld) {
        isWithinFrame = true
        return pass(bytes)
      }
      held = bytes.subarray(end)
      if (end === 0) return undefined
      isWithinFrame = false
      return pass(bytes.subarray(0, end))
    },
    end: () => {
      const rest = restOf()
      const words = last.toString('utf8', Math.max(0, last.length - tailBytes)) + rest
      return {
        isDone: words.includes('data: [DONE]') || words.includes('data:[DONE]'),
        isFinished: saysWhy.test(words),
        rest,
      }
    },
  }
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
