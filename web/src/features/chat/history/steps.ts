/** The steps of writing a reply: statuses, tool calls and runs of code. Malformed parts are skipped. Pure. */
import type { Message } from '@chancery/contract/chats/chats.ts'

type Fields = Record<string, unknown>

const fieldsIn = (value: unknown): Fields[] =>
  Array.isArray(value)
    ? value.filter((item): item is Fields => typeof item === 'object' && item !== null && !Array.isArray(item))
    : []
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export interface Status {
  description: string
  isDone: boolean
}

export interface StatusLine {
  /** Undefined when the last status is hidden, or is that of a tool call, which is shown as a step. */
  current: Status | undefined
  /** Everything that was reported, hidden or not, without tool calls. */
  history: readonly Status[]
}

/** Contract: Events, rules 1 and 2. */
export function statusLineOf(message: Message): StatusLine {
  const all = fieldsIn(message.statusHistory)
  const statusOf = ({ description, done }: Fields): Status => ({
    description: textOf(description),
    isDone: done === true,
  })
  const isWritten = ({ description, call }: Fields) => textOf(description) !== '' && call === undefined
  const last = all.at(-1)
  return {
    current: last && last.hidden !== true && isWritten(last) ? statusOf(last) : undefined,
    history: all.filter(isWritten).map(statusOf),
  }
}

export interface ToolCall {
  name: string
  /** Parsed where it is JSON. */
  input: unknown
  /** Undefined while the tool runs. */
  output: unknown
  durationMs: number | undefined
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A call is reported when it starts and when it ends. IDs may repeat between rounds: an end closes the last open start. */
export function toolCallsOf(message: Message): ToolCall[] {
  const calls: (ToolCall & { id: string })[] = []
  for (const { call } of fieldsIn(message.statusHistory)) {
    const [fields] = fieldsIn([call])
    if (!fields) continue
    const { id, name, arguments: given, output, duration_ms: durationMs } = fields
    if (typeof output !== 'string') {
      const input = parsed(textOf(given) || '{}')
      calls.push({ id: textOf(id), name: textOf(name), input, output: undefined, durationMs: undefined })
      continue
    }
    const open = calls.findLast((one) => one.id === textOf(id) && one.output === undefined)
    if (!open) continue
    open.output = parsed(output)
    open.durationMs = typeof durationMs === 'number' ? durationMs : undefined
  }
  return calls
}

export interface CodeRun {
  id: string
  name: string
  language: string
  code: string
  output: string
  error: string
  isDone: boolean
}

export const codeRunsOf = (message: Message): CodeRun[] =>
  fieldsIn(message.code_executions).map(({ id, name, language, code, result }) => {
    const [{ output, error } = {} as Fields] = fieldsIn([result])
    return {
      id: textOf(id),
      name: textOf(name) || 'Code',
      language: textOf(language),
      code: textOf(code),
      output: textOf(output),
      error: textOf(error),
      isDone: result !== undefined,
    }
  })
