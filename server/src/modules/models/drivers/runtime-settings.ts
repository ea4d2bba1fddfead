/**
 * The settings of a local runtime that a request may send. A runtime is shared: how long a model stays loaded, its
 * context length or its layers on the graphics card are settings of the machine, and a request with others loads the
 * model anew for everybody. They are the platform admin's, and those of custom models that a platform admin made. From
 * others they are left out without an error, since usual clients send `keep_alive` with every request. Pure.
 */
import { can } from '@chancery/contract/abilities.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import { foldName } from './fold-name.ts'

type Fields = Record<string, unknown>

/** In `options`, where everything else is the machine's. */
const callersOptions = new Set([
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'typical_p',
  'seed',
  'stop',
  'num_predict',
  'num_keep',
  'frequency_penalty',
  'presence_penalty',
  'repeat_penalty',
  'repeat_last_n',
  'penalize_newline',
  'mirostat',
  'mirostat_eta',
  'mirostat_tau',
  'tfs_z',
])

/** Beside `options`, where the fields of all APIs are. */
const machinesFields = new Set([
  'keep_alive',
  'ttl',
  'num_ctx',
  'num_batch',
  'num_gpu',
  'num_thread',
  'main_gpu',
  'low_vram',
  'f16_kv',
  'logits_all',
  'vocab_only',
  'use_mmap',
  'use_mlock',
  'numa',
])

const isOptions = (name: string, value: unknown): value is Fields => foldName(name) === 'options' && isJsonObject(value)
const isSetting = (name: string): boolean => machinesFields.has(foldName(name))
const isCallersOption = (name: string): boolean => callersOptions.has(name)

/** The same object if there are none. */
export const withoutRuntimeSettings = <Body extends Fields>(body: Body): Body => {
  if (!Object.keys(body).some((name) => isSetting(name) || foldName(name) === 'options')) return body
  const kept = Object.entries(body).filter(([name]) => !isSetting(name))
  return Object.fromEntries(
    kept.map(([name, value]) => [name, isOptions(name, value) ? picked(value, isCallersOption) : value]),
  ) as Body
}

/** The parameters of a model whose machine's settings somebody else may not change: those it had stay. */
export const withRuntimeSettingsOf = (before: Fields, params: Fields): Fields => {
  const kept = { ...withoutRuntimeSettings(params), ...picked(before, isSetting) }
  const settings = isJsonObject(before.options) ? picked(before.options, (name) => !isCallersOption(name)) : {}
  if (Object.keys(settings).length === 0) return kept
  return { ...kept, options: { ...(isJsonObject(kept.options) && kept.options), ...settings } }
}

const picked = (from: Fields, isWanted: (name: string) => boolean): Fields =>
  Object.fromEntries(Object.entries(from).filter(([name]) => isWanted(name)))

interface Asked {
  actor: Pick<Actor, 'role' | 'organizationId'>
  /** A model behind credentials of a user runs on a machine of theirs. */
  model: { isPrivate?: boolean }
}

/** A request before the model's own parameters are put into it. */
export const allowedOf = <Body extends Fields>({ actor, model }: Asked, body: Body): Body =>
  can(actor, 'set-runtime-options') || model.isPrivate ? body : withoutRuntimeSettings(body)
