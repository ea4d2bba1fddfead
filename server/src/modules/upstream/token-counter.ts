/**
 * Finds the token counts in a passing reply of any format, without parsing or keeping it: they are in the first or the
 * last lines. If a stream has none, each of its pieces counts as a token, or its text if that is more. Pure.
 */
import { textBytesIn, tokensOf } from '#modules/models/index.ts'

export interface Cost {
  promptTokens: number
  completionTokens: number
  /** The reply reported an error after it had started. */
  hasError: boolean
}

export interface TokenCounter {
  add(piece: Buffer): void
  /** The answer's tokens so far, by its text. */
  readonly soFar: number
  readonly bytes: number
  /** The estimate is used if the backend didn't count the prompt. */
  cost(estimatedPromptTokens: number): Cost
}

const headBytes = 4 * 1024
/** A last line may have a long list of numbers or tools after its counts. */
const tailBytes = 32 * 1024

export const createTokenCounter = (contentType: string): TokenCounter => {
  const end = contentType.includes('event-stream') ? '\n\n' : '\n'
  const isStream = /ndjson|event-stream/.test(contentType)
  let head = Buffer.alloc(0)
  let tail: Buffer[] = []
  let tailLength = 0
  let pieces = 0
  let textBytes = 0
  let bytes = 0
  const soFar = (): number => Math.max(0, pieces - 1, tokensOf(textBytes))

  return {
    get soFar() {
      return soFar()
    },
    get bytes() {
      return bytes
    },
    add(piece) {
      bytes += piece.length
      if (head.length < headBytes) head = Buffer.concat([head, piece.subarray(0, headBytes - head.length)])
      if (isStream) {
        pieces += countOf(piece, end)
        textBytes += textBytesIn(piece)
      }
      tail.push(piece)
      tailLength += piece.length
      while (tailLength - (tail[0]?.length ?? 0) >= tailBytes) tailLength -= tail.shift()?.length ?? 0
    },
    cost(estimatedPromptTokens) {
      const last = Buffer.concat(tail).subarray(-tailBytes).toString('utf8')
      tail = []
      const promptTokens = lastNumber(last, promptCounts) ?? lastNumber(head.toString('utf8'), promptCounts)
      const completionTokens = lastNumber(last, completionCounts)
      return {
        promptTokens: promptTokens ?? estimatedPromptTokens,
        completionTokens: completionTokens ?? soFar(),
        hasError: /(^|\n)(data: ?)?\{"error"/.test(last),
      }
    },
  }
}

/** Quotes inside a JSON string are escaped, so none of these match text from the model. */
const promptCounts = /"(?:prompt_eval_count|prompt_tokens|input_tokens)"\s*:\s*(\d{1,15})/g
const completionCounts = /"(?:eval_count|completion_tokens|output_tokens)"\s*:\s*(\d{1,15})/g

const lastNumber = (text: string, pattern: RegExp): number | undefined => {
  const found = [...text.matchAll(pattern)].at(-1)?.[1]
  return found === undefined ? undefined : Number(found)
}

const countOf = (piece: Buffer, end: string): number => {
  let count = 0
  for (let at = piece.indexOf(end); at !== -1; at = piece.indexOf(end, at + end.length)) count += 1
  return count
}
