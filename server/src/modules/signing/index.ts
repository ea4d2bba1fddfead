/** Signing: documents, recipients, links and sealed PDFs. The module's public interface. */
import './tables.ts'
import type { Kernel, Module } from '#kernel/kernel.ts'
import type { Accounts } from '#modules/accounts/index.ts'
import type { Completions } from '#modules/completions/index.ts'
import type { EventBus } from '#modules/event-bus/index.ts'
import type { Files } from '#modules/files/index.ts'
import type { Organizations } from '#modules/organizations/index.ts'
import type { PdfWork } from '#modules/pdf/index.ts'
import type { Tools } from '#modules/tools/index.ts'
import type { Webhooks } from '#modules/webhooks/index.ts'
import type { SigningConfig } from './config.ts'
import type { SigningContext } from './context.ts'
import { monthStart } from './documents/quota.ts'
import { sealsQuota } from './documents/take-seal.ts'
import { handOverDocuments } from './hand-over-documents.ts'
import { createSealJob, createTimeJob, resumeSeals } from './jobs.ts'
import { declareMailQuotas } from './mail-limits/mail-quotas.ts'
import { countSentUnscoped } from './queries/documents.ts'
import { createPageCache } from './recipients/page-cache.ts'
import { aiRoutes } from './routes/ai.ts'
import { documentRoutes } from './routes/documents.ts'
import { inboxRoutes } from './routes/inbox.ts'
import { signRoutes } from './routes/sign.ts'
import { templateRoutes } from './routes/templates.ts'
import { createBulkJob } from './templates/bulk.ts'
import { runSignatures } from './templates/run-signatures.ts'
import { sendTool } from './templates/send-tool.ts'
import { draftTool } from './written/draft-tool.ts'

export { eventTypes } from './announce.ts'
export { sumBytesUnscoped } from './queries/documents.ts'

interface Needs {
  kernel: Kernel<SigningConfig>
  accounts: Pick<Accounts, 'registerDeletionHandler'>
  organizations: Pick<Organizations, 'findUnscoped' | 'findLimitsUnscoped' | 'registerUsage' | 'requireWritable'>
  tools: Pick<Tools, 'registerSource'>
  bus: Pick<EventBus, 'publish' | 'wake'>
  webhooks: Pick<Webhooks, 'publish'>
  pdfWork: PdfWork
  files: Pick<Files, 'storeStaged' | 'requireStorage' | 'countStorageUnscoped'>
  completions: Pick<Completions, 'complete'>
}

/** `signatures` is what nodes of workflows use. */
export type Signing = Module & { signatures: ReturnType<typeof runSignatures> }

export const createSigning = (needs: Needs): Signing => {
  const { kernel, accounts, organizations, tools, bus, webhooks, pdfWork, files, completions } = needs
  const sealJob = createSealJob(() => context)
  const bulkJob = createBulkJob(() => context)
  const context: SigningContext = {
    kernel,
    organizations,
    bus,
    webhooks,
    pdfWork,
    files,
    completions,
    mailQuotas: declareMailQuotas(kernel),
    pages: createPageCache(kernel),
    endListeners: [],
    enqueueSeal: async (tx, { id: documentId, scopeId }) => {
      await kernel.jobs.enqueue(tx, sealJob, { documentId }, { group: scopeId })
    },
    enqueueBulk: async (tx, group, job) => {
      await kernel.jobs.enqueue(tx, bulkJob, job, { group })
    },
  }
  kernel.quotas.declare(sealsQuota)
  accounts.registerDeletionHandler(handOverDocuments(context))
  tools.registerSource(sendTool(context))
  tools.registerSource(draftTool(context))
  organizations.registerUsage(async (db, organizationId) => ({
    documentsThisMonth: await countSentUnscoped(db, organizationId, monthStart(kernel.clock.now())),
  }))
  return {
    routes: [
      ...documentRoutes(context),
      ...templateRoutes(context),
      ...inboxRoutes(context),
      ...aiRoutes(context),
      ...signRoutes(context),
    ],
    start: () => kernel.tasks.run('signing.resume-seals', () => resumeSeals(context)),
    jobs: [sealJob, bulkJob, createTimeJob(context)],
    signatures: runSignatures(context),
  }
}
