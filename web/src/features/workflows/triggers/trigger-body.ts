/** Builds the request body from the form. */
import type { Fields } from '#lib/form/form.ts'
import { readJson } from '../json-text.ts'
import type { TriggerOf } from './api.ts'

/** Fields that all triggers share. */
export interface CatalogAndSpace {
  catalogId: string | null
  spaceId: string | null
}

export const catalogAndSpaceOf = (
  trigger: { catalog_id: string | null; space_id: string | null } | undefined,
): CatalogAndSpace => ({
  catalogId: trigger?.catalog_id ?? null,
  spaceId: trigger?.space_id ?? null,
})

const catalogAndSpaceBody = ({ catalogId, spaceId }: CatalogAndSpace) => ({ catalog_id: catalogId, space_id: spaceId })

export interface EventChoices {
  eventType: string
  expression: string
  concurrency: TriggerOf<'event'>['concurrency']
  allowsReentry: boolean
}

export const eventChoicesOf = (trigger: TriggerOf<'event'> | undefined): EventChoices => ({
  eventType: trigger?.event_type ?? '',
  expression: trigger?.filter_expr ?? '',
  concurrency: trigger?.concurrency ?? 'parallel',
  allowsReentry: trigger?.allow_reentry ?? false,
})

export const eventBody = ({ name }: Fields, choices: EventChoices, catalogAndSpace: CatalogAndSpace) => ({
  name,
  event_type: choices.eventType.trim(),
  concurrency: choices.concurrency,
  // Without a filter, every event matches.
  filter_expr: choices.expression.trim() === '' ? null : choices.expression.trim(),
  allow_reentry: choices.allowsReentry,
  ...catalogAndSpaceBody(catalogAndSpace),
})

export interface CronChoices {
  cron: string
  timezone: string
  misfire: TriggerOf<'cron'>['misfire']
}

/** Invalid JSON never gets here: the form reports it before sending. */
export const cronBody = ({ name, input = '' }: Fields, choices: CronChoices, catalogAndSpace: CatalogAndSpace) => ({
  name,
  cron: choices.cron.trim(),
  timezone: choices.timezone,
  misfire: choices.misfire,
  input: readJson(input).value ?? null,
  ...catalogAndSpaceBody(catalogAndSpace),
})

interface WebhookChoices {
  catalogAndSpace: CatalogAndSpace
  includesRequest: boolean
  isNew: boolean
}

/** Blank fields of a new webhook are left out; in an existing one they remove what was there, except the secret. */
export const webhookBody = (
  { name, event_type = '', secret = '', signature_header = '', filter_expr = '', answer_sec = '' }: Fields,
  { catalogAndSpace, includesRequest, isNew }: WebhookChoices,
) => ({
  name,
  ...filled('event_type', event_type),
  ...filled('secret', secret),
  ...(isNew ? {} : { signature_header: null, filter_expr: null, answer_sec: null }),
  ...filled('signature_header', signature_header),
  ...filled('filter_expr', filter_expr),
  ...(answer_sec.trim() !== '' && { answer_sec: Number(answer_sec) }),
  include_request: includesRequest,
  ...catalogAndSpaceBody(catalogAndSpace),
})

const filled = (name: string, text: string) => (text.trim() === '' ? {} : { [name]: text.trim() })
