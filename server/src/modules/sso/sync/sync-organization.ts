/**
 * One pass over the provider's directory for one organization. Nothing changes before the whole directory has been read
 * and compared; a removal of too many is refused altogether. Safe to repeat: each step looks at what is there.
 */
import { AppError } from '#kernel/errors.ts'
import type { SsoContext } from '../context.ts'
import { type DirectoryApi, tenantAttribute } from '../directory/api.ts'
import {
  listProvisionedUnscoped,
  listPushedSinceUnscoped,
  listSuspendedUnscoped,
  updateReportUnscoped,
} from '../queries.ts'
import { applyPlan } from './apply-plan.ts'
import { diffDirectory, isRefusedRemoval, type KnownPerson, type Plan, type SeenPerson } from './directory-diff.ts'
import { digestOf } from './directory-digest.ts'
import { retryAt } from './is-due.ts'
import { isOf, readDirectory } from './read-directory.ts'
import { type Findings, nothingFound, reportIfNew } from './report-pass.ts'
import { findStateUnscoped, noteEndedUnscoped, type SyncState } from './state-queries.ts'

interface Pass {
  /** Null: a sweep asked for it. */
  reportId: string | null
  organizationId: string
  isDryRun: boolean
  signal: AbortSignal
}

export const syncOrganization = async (context: SsoContext, directory: DirectoryApi, pass: Pass): Promise<void> => {
  const { db, clock } = context
  const { organizationId, reportId, isDryRun, signal } = pass
  const startedAt = clock.now()
  const state = await findStateUnscoped(db, organizationId)
  const report = (findings: Findings) =>
    reportId === null
      ? reportIfNew(context, { organizationId, startedAt }, findings)
      : updateReportUnscoped(db, reportId, { ...findings, finishedAt: clock.now() })
  try {
    const listed = await readDirectory(directory, organizationId, signal)
    const findings = await findAndApply(context, directory, { ...pass, listed, startedAt })
    await report(findings)
    if (!isDryRun) await noteEnded(context, { organizationId, state, digest: digestOf(listed), findings })
  } catch (problem) {
    const isKnown = problem instanceof AppError
    const detail = isKnown ? problem.message : 'The pass was interrupted.'
    const findings = { ...nothingFound, outcome: 'failed', detail } as const
    if (reportId !== null || isKnown) await report(findings)
    if (reportId !== null || !isKnown) throw problem
    await noteEnded(context, { organizationId, state, digest: null, findings })
  }
}

interface Ended {
  organizationId: string
  /** As it was when the pass began. */
  state: SyncState | undefined
  digest: string | null
  findings: Findings
}

/** What failed or was left out is tried again, less and less often, and as soon as something changes. */
const noteEnded = async (
  { db, clock, settings }: SsoContext,
  { organizationId, state, digest, findings }: Ended,
): Promise<void> => {
  const isComplete = findings.outcome === 'done' && findings.detail === ''
  const tries = isComplete ? 0 : (state?.tries ?? 0) + 1
  const now = clock.now()
  await noteEndedUnscoped(db, {
    organizationId,
    digest,
    tries,
    retryAt: isComplete ? null : retryAt(tries, { now, everyMs: settings.syncEveryMs }),
    passedAt: now,
    changesAtStart: state?.changes ?? 0,
  })
}

interface Read extends Pass {
  listed: readonly SeenPerson[]
  startedAt: Date
}

const findAndApply = async (context: SsoContext, directory: DirectoryApi, pass: Read): Promise<Findings> => {
  const { organizationId, isDryRun, listed, startedAt } = pass
  const known = await listKnown(context, organizationId, startedAt)
  const seen = await withoutInvited(context, listed, known)
  const plan = await confirmed(directory, { plan: diffDirectory(seen, known), known, organizationId })
  const counts = { ...countsOf(plan), seen: seen.length }
  if (isRefusedRemoval(plan.deactivate.length, known)) {
    const detail = `${plan.deactivate.length} people would be deactivated at once. Nothing was changed.`
    await recordPass(context, { organizationId, action: 'sso.sync_refused', detail: { ...counts } })
    return { outcome: 'refused', detail, ...counts }
  }
  if (isDryRun) return { outcome: 'done', detail: 'A dry run: nothing was changed.', ...counts }
  const { counts: applied, notes } = await applyPlan(context, plan, organizationId)
  if (applied.added + applied.updated + applied.deactivated > 0)
    await recordPass(context, { organizationId, action: 'sso.sync', detail: { ...applied } })
  return { outcome: 'done', detail: notes.join(' '), ...applied, seen: seen.length }
}

const countsOf = ({ add, link, update, deactivate, reactivate }: Plan) => ({
  added: add.length,
  updated: new Set([...link, ...update].map(({ userId }) => userId).concat(reactivate)).size,
  deactivated: deactivate.length,
})

const recordPass = (
  { audit, db }: SsoContext,
  { organizationId, action, detail }: { organizationId: string; action: string; detail: Record<string, unknown> },
) =>
  audit.record(db, {
    action,
    by: 'system',
    organizationId,
    target: { kind: 'organization', id: organizationId },
    detail,
  })

const listKnown = async (
  { accounts, settings, db }: SsoContext,
  organizationId: string,
  startedAt: Date,
): Promise<KnownPerson[]> => {
  const known: KnownPerson[] = []
  for await (const members of accounts.users.readMembersUnscoped(db, organizationId)) {
    const ids = members.map(({ id }) => id)
    const identities = await accounts.identities.listUnscoped(db, settings.issuer, ids)
    const subjects = new Map(identities.map(({ userId, subject }) => [userId, subject]))
    const changing = await listPushedSinceUnscoped(db, ids, startedAt)
    const suspended = await listSuspendedUnscoped(db, ids)
    for (const { id, email, name, role, status } of members)
      known.push({
        id,
        email,
        name,
        role,
        status,
        subject: subjects.get(id),
        isSuspended: suspended.has(id),
        isChanging: changing.has(id),
      })
  }
  return known
}

/** People we created there for an invitation join only by signing in, while the invitation is open. */
const withoutInvited = async (
  { settings, db }: SsoContext,
  seen: readonly SeenPerson[],
  known: readonly KnownPerson[],
): Promise<SeenPerson[]> => {
  const subjects = seen.map(({ subject }) => subject)
  const provisioned = await listProvisionedUnscoped(db, settings.issuer, subjects)
  const members = new Set(known.map(({ subject }) => subject))
  return seen.filter(({ subject }) => members.has(subject) || !provisioned.has(subject))
}

interface Confirmation {
  plan: Plan
  known: readonly KnownPerson[]
  organizationId: string
}

/** Pages shift while they are read, so a person who seems gone is looked up once more, by id. */
const confirmed = async (directory: DirectoryApi, { plan, known, organizationId }: Confirmation): Promise<Plan> => {
  const subjects = new Map(known.map(({ id, subject }) => [id, subject]))
  const deactivate: Plan['deactivate'] = []
  for (const removal of plan.deactivate) {
    const person = removal.isGone ? await directory.find(subjects.get(removal.userId) ?? '') : undefined
    const isStillThere = person !== undefined && isOf(person, organizationId) && person.enabled === true
    // Somebody who came in without ever being marked there as this company's was never in its list.
    const wasNeverListed =
      person !== undefined && person.attributes?.[tenantAttribute] === undefined && person.enabled === true
    if (!isStillThere && !wasNeverListed) deactivate.push(removal)
  }
  return { ...plan, deactivate }
}
