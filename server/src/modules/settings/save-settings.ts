/**
 * Saves settings over the environment's values, or takes saved ones back (null). All of them or none: a key that is
 * unknown, held to the environment or wrong refuses the whole request.
 */
import type { FieldProblem } from '@chancery/contract/errors.ts'
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { SharedCopy } from '#kernel/shared-copy.ts'
import { deleteSettingUnscoped, upsertSettingUnscoped } from './queries.ts'
import { type Registry, type SettingState, sealedAs } from './registry.ts'

interface Deps extends Pick<Kernel, 'sealer' | 'clock' | 'audit'> {
  registry: Registry
  copy: Pick<SharedCopy, 'change'>
}

interface Request {
  body: Record<string, unknown>
  from: Origin
}

interface Change {
  state: SettingState
  /** Undefined takes the saved value back. */
  value: unknown
}

export const saveSettings = async (deps: Deps, actor: Actor, { body, from }: Request): Promise<void> => {
  const changes = checkedChanges(deps.registry, body)
  await deps.copy.change(async (tx) => {
    for (const change of changes) await write(deps, tx, { change, actor, from })
  })
}

const checkedChanges = (registry: Registry, body: Record<string, unknown>): Change[] => {
  const problems: FieldProblem[] = []
  const changes = Object.entries(body).map(([key, given]): Change => {
    const state = registry.find(key)
    if (!state) throw new AppError('setting_not_found')
    if (!state.isEditable) throw new AppError('setting_not_editable')
    if (given === null) return { state, value: undefined }
    const result = state.definition.schema.safeParse(given)
    if (result.success) return { state, value: result.data }
    for (const issue of result.error.issues)
      problems.push({ loc: ['body', key, ...issue.path.map(String)], msg: issue.message, type: issue.code })
    return { state, value: undefined }
  })
  if (problems.length > 0) throw new AppError('validation_failed', { problems })
  return changes
}

interface Write {
  change: Change
  actor: Actor
  from: Origin
}

const write = async (deps: Deps, tx: Db, { change, actor, from }: Write): Promise<void> => {
  const { clock, sealer, audit } = deps
  const { key, type } = change.state.definition
  const isSecret = type === 'secret'
  const record = (action: string, detail: Record<string, unknown>) =>
    audit.record(tx, { action, by: actor, from, target: { kind: 'setting', id: key }, detail })

  if (change.value === undefined) {
    if (await deleteSettingUnscoped(tx, key)) await record('settings.take_back', {})
    return
  }
  const value = isSecret ? sealer.seal(String(change.value), sealedAs(key)) : change.value
  await upsertSettingUnscoped(tx, { key, value, updatedAt: clock.now(), updatedBy: actor.id })
  await record('settings.save', isSecret ? {} : { value: change.value })
}
