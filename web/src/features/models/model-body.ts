/** Converts between the model form and the request body. */
import type { AccessGrant } from '@chancery/contract/grants.ts'
import type { Model } from '@chancery/contract/models/models.ts'
import type { Fields } from '#lib/form/form.ts'

export interface ModelChoices {
  isActive: boolean
  grants: AccessGrant[] | null
}

/**
 * Parameters with their own field; all others stay in the JSON field. `usual` is what the server returns if nothing was
 * set.
 */
export const numberParams = [
  { name: 'temperature', label: 'Temperature', help: '0 to 2', usual: 1 },
  { name: 'top_p', label: 'Top p', help: '0 to 1', usual: 1 },
  { name: 'max_tokens', label: 'Maximum reply length', help: 'In tokens', usual: undefined },
  { name: 'frequency_penalty', label: 'Frequency penalty', help: '-2 to 2', usual: 0 },
  { name: 'presence_penalty', label: 'Presence penalty', help: '-2 to 2', usual: 0 },
] as const

const named = new Set<string>([...numberParams.map(({ name }) => name), 'system'])

/** An ID suggested by a name: `Contract reader` → `contract-reader`. */
export const idFromName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9._:/@-]+/g, '-')
    .replace(/^[^a-z0-9]+|-+$/g, '')
    .slice(0, 60)

/** Text that isn't a number or JSON is passed on as is: the schema then names the field. */
const numberOf = (text: string) => (Number.isNaN(Number(text)) ? text : Number(text))

function numbersOf(fields: Fields) {
  const typed = numberParams.map(({ name }) => [name, (fields[name] ?? '').trim()] as const)
  return Object.fromEntries(typed.filter(([, text]) => text !== '').map(([name, text]) => [name, numberOf(text)]))
}

export class BadJson extends Error {}

function extraOf(text: string): Record<string, unknown> {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // Said below in words that fit the field.
  }
  throw new BadJson('Enter a JSON object, such as {"seed": 7}.')
}

export const extraText = ({ params }: Model): string => {
  const rest = Object.entries(params).filter(([name]) => !named.has(name))
  return rest.length === 0 ? '' : JSON.stringify(Object.fromEntries(rest), null, 2)
}

const paramsOf = (fields: Fields) => ({
  ...extraOf(fields.extra ?? ''),
  ...numbersOf(fields),
  ...((fields.system ?? '').trim() !== '' && { system: fields.system }),
})

/** The server returns 0 for unset lengths; that isn't sent back. */
const known = (value: number) => value > 0

function metaOf({ description = '' }: Fields, current: Model | undefined) {
  const { context_length = 0, max_output_tokens = 0, ...rest } = current?.meta ?? {}
  return {
    ...rest,
    ...(known(context_length) && { context_length }),
    ...(known(max_output_tokens) && { max_output_tokens }),
    description: description.trim(),
  }
}

/** A custom model: its base, prompt and parameters. */
export const customModelBody = (fields: Fields, choices: ModelChoices, current: Model | undefined) => ({
  ...(!current && { id: fields.id }),
  name: fields.name,
  base_model_id: fields.base_model_id,
  params: paramsOf(fields),
  meta: metaOf(fields, current),
  access_grants: choices.grants,
  is_active: choices.isActive,
})

/** The record of a connection's model. Its parameters aren't changed. */
export const servedModelBody = (fields: Fields, choices: ModelChoices, { id, current }: ServedModel) => ({
  ...(!current && { id, base_model_id: null }),
  name: fields.name,
  meta: metaOf(fields, current),
  access_grants: choices.grants,
  is_active: choices.isActive,
})

interface ServedModel {
  id: string
  current: Model | undefined
}
