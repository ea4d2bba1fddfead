import type { SigningReply } from '@chancery/contract/signing/recipient.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { Completions } from '#modules/completions/index.ts'
import type { EventBus } from '#modules/event-bus/index.ts'
import type { Files } from '#modules/files/index.ts'
import type { Organizations } from '#modules/organizations/index.ts'
import type { PdfWork } from '#modules/pdf/index.ts'
import type { Webhooks } from '#modules/webhooks/index.ts'
import type { SigningConfig } from './config.ts'
import type { MailQuotas } from './mail-limits/mail-quotas.ts'
import type { PageCache } from './recipients/page-cache.ts'

/** The source of an action; `HttpCall` fits. */
export interface Source {
  ip: string
  userAgent: string | null
}

export interface SigningContext {
  kernel: Kernel<SigningConfig>
  organizations: Pick<Organizations, 'findUnscoped' | 'findLimitsUnscoped' | 'requireWritable'>
  bus: Pick<EventBus, 'publish' | 'wake'>
  webhooks: Pick<Webhooks, 'publish'>
  pdfWork: PdfWork
  files: Pick<Files, 'storeStaged' | 'requireStorage' | 'countStorageUnscoped'>
  completions: Pick<Completions, 'complete'>
  mailQuotas: MailQuotas
  pages: PageCache<SigningReply>
  /** Called with the run that sent a document, in the transaction in which the document ends. */
  endListeners: ((tx: Db, runId: string) => Promise<void>)[]
  /** Enqueues the sealing of a document in the caller's transaction. */
  enqueueSeal(tx: Db, document: { id: string; scopeId: string }): Promise<void>
  /** Enqueues the rows of a bulk job in the caller's transaction. */
  enqueueBulk(tx: Db, scopeId: string, job: { bulkId: string; from: Source }): Promise<void>
}
