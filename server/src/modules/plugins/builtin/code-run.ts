/** A run of code that is shown with the message: as it starts, and again with its result. */
import { AppError } from '#kernel/errors.ts'
import type { Ids } from '#kernel/ids.ts'
import type { ToolContext, ToolResult } from '#modules/tools/index.ts'

const maxCodeLength = 100_000
const maxOutputLength = 50_000
const maxErrorLength = 4_000

interface Language {
  name: string
  language: string
}

export interface CodeRun {
  id: string
  code: string
  /** The result for the model. */
  end(output: string): ToolResult
  /** The failure, to be thrown: the model is told what was printed until then and why it ended. */
  fail(output: string, error: string): AppError
}

/** Throws `tool_failed` for what is no code. */
export const beginCodeRun = (
  { ids, emit }: { ids: Ids } & Pick<ToolContext, 'emit'>,
  { name, language }: Language,
  code: unknown,
): CodeRun => {
  if (typeof code !== 'string' || code.length > maxCodeLength)
    throw new AppError('tool_failed', { detail: 'code is missing or too long.' })
  const id = ids.next()
  const show = (result?: object): void =>
    emit({
      type: 'source',
      data: { type: 'code_execution', id, name, language, code, ...(result && { result }) },
    })
  show()
  return {
    id,
    code,
    end: (text) => {
      const output = text.slice(0, maxOutputLength)
      show({ output })
      return { content: output === '' ? 'It ran and printed nothing.' : output }
    },
    fail: (text, reason) => {
      const [output, error] = [text.slice(0, maxOutputLength), reason.slice(0, maxErrorLength)]
      show({ output, error })
      return new AppError('tool_failed', { detail: output === '' ? error : `${output}\n${error}` })
    },
  }
}
