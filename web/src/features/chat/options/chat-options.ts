/** A chat's system prompt and model parameters, stored as its `params`. Pure. */
import { ChatOptions } from '@chancery/contract/chats/chats.ts'

const { shape } = ChatOptions

/** Other clients store what they like there: each value is checked and ignored if it isn't one of ours. */
export const optionsOf = (params: Readonly<Record<string, unknown>>): ChatOptions => {
  const value = <Name extends keyof ChatOptions>(name: Name) => shape[name].safeParse(params[name]).data
  return {
    system: value('system'),
    temperature: value('temperature'),
    top_p: value('top_p'),
    max_tokens: value('max_tokens'),
  } as ChatOptions
}

/** The options as fields of a completion. The system prompt isn't one: it is sent as the first message. */
export const requestParams = ({ temperature, top_p, max_tokens }: ChatOptions) => ({
  ...(typeof temperature === 'number' && { temperature }),
  ...(typeof top_p === 'number' && { top_p }),
  ...(typeof max_tokens === 'number' && { max_tokens }),
})

export const systemMessage = ({ system }: ChatOptions) => (system ? [{ role: 'system' as const, content: system }] : [])

export const isCustom = ({ system, ...options }: ChatOptions): boolean =>
  Boolean(system) || Object.keys(requestParams(options)).length > 0

/** The fields of the form; null clears what was stored. */
export const optionsFrom = ({ system = '', ...fields }: Record<string, string>): Record<string, unknown> => {
  const number = (name: string) => {
    const text = (fields[name] ?? '').trim().replace(',', '.')
    return text === '' ? null : Number(text)
  }
  return {
    system: system.trim() === '' ? null : system.trim(),
    temperature: number('temperature'),
    top_p: number('top_p'),
    max_tokens: number('max_tokens'),
  }
}
