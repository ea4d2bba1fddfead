/** Reads a plugin's question to the person from its event. Pure. */

export interface Question {
  kind: 'confirmation' | 'text' | 'password' | 'select'
  /** The message is what a tool would be given. */
  isApproval: boolean
  title: string
  message: string
  placeholder: string
  value: string
  options: readonly { value: string; label: string }[]
}

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/** As texts, or as `{ value, label }`. */
const optionOf = (option: unknown) => {
  if (typeof option !== 'object' || option === null) return { value: textOf(option), label: textOf(option) }
  const { value, label } = option as { value?: unknown; label?: unknown }
  return { value: textOf(value), label: textOf(label) || textOf(value) }
}

/** Undefined for what isn't a question to a person. */
export function questionOf(type: string, data: unknown): Question | undefined {
  if (type !== 'confirmation' && type !== 'input') return undefined
  const fields = typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {}
  const options = Array.isArray(fields.options) ? fields.options.map(optionOf) : []
  return {
    kind: type === 'confirmation' ? 'confirmation' : inputKind(fields.type, options.length > 0),
    isApproval: fields.purpose === 'tool_approval',
    title: textOf(fields.title) || 'A tool has a question',
    message: textOf(fields.message),
    placeholder: textOf(fields.placeholder),
    value: textOf(fields.value),
    options,
  }
}

function inputKind(type: unknown, hasOptions: boolean): Question['kind'] {
  if (type === 'password') return 'password'
  return hasOptions ? 'select' : 'text'
}
