/** Token counts in the messages format, which counts cached tokens separately. */

export interface FormatUsage {
  input_tokens: number
  cache_creation_input_tokens: number
  cache_read_input_tokens: number
  output_tokens: number
}

export const noUsage: FormatUsage = {
  input_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 0,
}

export const usageOf = (usage: unknown): FormatUsage => {
  const counts = recordOf(usage)
  const cached = countOf(recordOf(counts.prompt_tokens_details).cached_tokens)
  return {
    input_tokens: Math.max(0, countOf(counts.prompt_tokens) - cached),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    output_tokens: countOf(counts.completion_tokens),
  }
}

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const countOf = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0)
