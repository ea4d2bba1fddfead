/** Sends a template to many people from a table. Rows are checked first; a job then makes and sends each row once. */
import { z } from 'zod'
import type { Db } from '#kernel/db/database.ts'
import { claimRequestKeyUnscoped } from '#kernel/db/request-keys.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { problem } from '#kernel/http/bodies/validation.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import { defineJob, type JobDefinition } from '#kernel/jobs/jobs.ts'
import { asPrincipal, findUserByIdUnscoped } from '#modules/accounts/index.ts'
import type { SigningContext, Source } from '../context.ts'
import { getDocument } from '../documents/with-document.ts'
import { checkPrefilled } from '../fields/check-prefilled.ts'
import { boxOf } from '../fields/field-box.ts'
import { countMails } from '../mail-limits/count-mails.ts'
import {
  type BulkJobRow,
  type BulkRowRow,
  findBulkUnscoped,
  finishBulkUnscoped,
  insertBulkUnscoped,
  listBulkRowsUnscoped,
  lockReadyRowUnscoped,
  settleRowUnscoped,
} from '../queries/bulk.ts'
import { findDocumentUnscoped } from '../queries/documents.ts'
import { listFieldsUnscoped } from '../queries/fields.ts'
import { listFilesUnscoped } from '../queries/files.ts'
import { listRefusalsUnscoped } from '../queries/mail-refusals.ts'
import { listRecipientsUnscoped } from '../queries/recipients.ts'
import { findHeaderProblems, type PlannedRow, planRow } from './plan-rows.ts'
import { CsvProblem, readCsv } from './read-csv.ts'
import { instantiateAndSend } from './use-template.ts'

const maxRows = 500

const readTable = (csv: string) => {
  try {
    const [header = [], ...rows] = readCsv(csv)
    if (rows.length > maxRows) throw problem(['file'], `A table holds at most ${maxRows} rows.`, 'too_many_rows')
    if (rows.length === 0) throw problem(['file'], 'The table has a header but no rows.', 'no_rows')
    return { header, rows }
  } catch (error) {
    if (error instanceof CsvProblem) throw problem(['file'], error.message, 'invalid_csv')
    throw error
  }
}

/** Every row with what is wrong with it; nothing is stored. */
export const planBulk = async (
  { kernel, pdfWork }: SigningContext,
  actor: Actor,
  { templateId, csv }: { templateId: string; csv: string },
): Promise<PlannedRow[]> => {
  const template = await getDocument(kernel.db, actor, { id: templateId, kind: 'TEMPLATE' })
  const roles = await listRecipientsUnscoped(kernel.db, templateId)
  const fields = await listFieldsUnscoped(kernel.db, templateId)
  const files = await listFilesUnscoped(kernel.db, templateId)
  const { header, rows } = readTable(csv)
  const about = { title: template.title, roles, fields }
  const headerProblems = findHeaderProblems(header, about)
  if (headerProblems.length > 0) throw problem(['file'], headerProblems.join(' '), 'invalid_header')
  const planned: PlannedRow[] = []
  for (const [index, cells] of rows.entries()) {
    const plan = planRow(about, { header, cells, row: index + 2 })
    const problems = [...plan.problems]
    for (const { fieldId, value } of plan.request?.values ?? []) {
      const field = fields.find(({ id }) => id === fieldId)
      const checked = field && (await checkPrefilled(pdfWork, { ...field, box: boxOf(files, field) }, value))
      if (checked && 'problem' in checked) problems.push(`${field.label}: ${checked.problem}`)
    }
    planned.push({ ...plan, problems, request: problems.length === 0 ? plan.request : null })
  }
  return withoutUnwanted(kernel.db, actor, planned)
}

interface BulkRequest {
  templateId: string
  planned: readonly PlannedRow[]
  from: Source
  /** `Idempotency-Key`: for a day it starts one job. */
  key: string | undefined
}

/** Said before anything is sent: who wants no mail from this sender. */
const withoutUnwanted = async (db: Db, actor: Actor, planned: readonly PlannedRow[]): Promise<PlannedRow[]> => {
  const emails = planned.flatMap(({ request }) => request?.recipients.map(({ email }) => email) ?? [])
  const refusals = await listRefusalsUnscoped(db, actor.id, emails)
  return planned.map((row) => {
    const unwanted = row.request?.recipients.filter(({ email }) => refusals.has(email)) ?? []
    const problems = unwanted.map(({ name, email }) => `${name} (${email}) doesn't want emails from you.`)
    return problems.length === 0 ? row : { ...row, problems: [...row.problems, ...problems], request: null }
  })
}

/** Rows with problems are kept beside the others, and never sent. */
export const startBulk = async (
  context: SigningContext,
  actor: Actor,
  { templateId, planned, from, key }: BulkRequest,
): Promise<BulkJobRow> => {
  const { db, clock, ids } = context.kernel
  const job = {
    id: ids.next(),
    scopeId: scopeOf(actor),
    templateId,
    ownerId: actor.id,
    createdAt: clock.now(),
    doneAt: null,
  }
  return db.transaction().execute(async (tx) => {
    const name = { userId: actor.id, purpose: `bulk ${templateId}`, key }
    const first = await claimRequestKeyUnscoped(context.kernel, tx, { ...name, resultId: job.id })
    if (first !== job.id) return (await findBulkUnscoped(tx, first)) ?? job
    const addresses = planned.flatMap(({ request }) => request?.recipients.map(({ email }) => email) ?? [])
    const sender = { ownerId: actor.id, organizationId: actor.organizationId }
    await insertBulkUnscoped(
      tx,
      job,
      planned.map(({ row, title, problems, request }) => ({
        jobId: job.id,
        rowNumber: row,
        title,
        state: request === null ? 'REFUSED' : 'READY',
        problems,
        request,
        documentId: null,
      })),
    )
    // After the job, which locks the template: who uses the template locks it before they count, too.
    await countMails(context, tx, { sender, addresses })
    await context.enqueueBulk(tx, job.scopeId, { bulkId: job.id, from: { ip: from.ip, userAgent: from.userAgent } })
    return job
  })
}

/** A crash between two rows leaves the rest READY, and the job goes on with those. */
export const createBulkJob = (context: () => SigningContext): JobDefinition<{ bulkId: string; from: Source }> =>
  defineJob({
    name: 'signing.bulk',
    data: z.object({
      bulkId: z.uuid(),
      from: z.object({ ip: z.string(), userAgent: z.string().nullable() }),
    }),
    concurrency: 2,
    perGroup: 1,
    handle: ({ bulkId, from }, { signal }) => sendRows(context(), { bulkId, from, signal }),
  })

const sendRows = async (
  context: SigningContext,
  { bulkId, from, signal }: { bulkId: string; from: Source; signal: AbortSignal },
): Promise<void> => {
  const { db, clock, failpoints } = context.kernel
  const job = await findBulkUnscoped(db, bulkId)
  if (!job) return
  for (const { rowNumber, state } of await listBulkRowsUnscoped(db, bulkId)) {
    signal.throwIfAborted()
    if (state === 'READY') await sendRow(context, job, { rowNumber, from })
    await failpoints.hit('bulk: row settled')
  }
  await finishBulkUnscoped(db, bulkId, clock.now())
}

const sendRow = async (
  context: SigningContext,
  job: BulkJobRow,
  { rowNumber, from }: { rowNumber: number; from: Source },
): Promise<void> => {
  const { db } = context.kernel
  try {
    await db.transaction().execute(async (tx) => {
      const row = await lockReadyRowUnscoped(tx, job.id, rowNumber)
      if (!row?.request) return
      const documentId = await sendOne(context, tx, { job, request: row.request, from })
      await settleRowUnscoped(tx, { jobId: job.id, rowNumber, state: 'SENT', documentId, problems: [] })
    })
    context.bus.wake()
  } catch (problem) {
    // A problem of one row stops no other; anything else is the job's to repeat.
    if (!(problem instanceof AppError)) throw problem
    const problems = problem.problems?.map(({ msg }) => msg) ?? [problem.message]
    await settleRowUnscoped(db, { jobId: job.id, rowNumber, state: 'FAILED', documentId: null, problems })
  }
}

/** Checked for every row, so that a person who leaves meanwhile sends nothing more. */
const sendOne = async (
  context: SigningContext,
  tx: Db,
  { job, request, from }: { job: BulkJobRow; request: NonNullable<BulkRowRow['request']>; from: Source },
): Promise<string> => {
  const user = await findUserByIdUnscoped(tx, job.ownerId)
  if (user?.status !== 'ACTIVE' || scopeOf(user) !== job.scopeId) throw new AppError('forbidden')
  const template = await findDocumentUnscoped(tx, job.templateId)
  if (!template || template.deletedAt !== null) throw new AppError('template_not_found')
  const maker = asPrincipal(user)
  const by = { kind: 'user', actor: maker, from } as const
  return (await instantiateAndSend(context, tx, { template, maker, by, request, isCounted: true })).id
}
