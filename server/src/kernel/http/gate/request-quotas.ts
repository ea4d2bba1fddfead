/** What one account may have open, and one tenant upload. Nothing else of a request is counted by tenant here. */
import type { AtOnceQuota, QuotaSubject, Quotas, RateQuota } from '../../quotas/index.ts'
import type { Caller } from '../access.ts'
import type { UploadedFile } from '../bodies/upload.ts'
import { subjectOf } from '../quota-subject.ts'

export const openRequestsQuota: AtOnceQuota = {
  kind: 'at_once',
  name: 'open_requests',
  what: 'open requests of one account on a node',
  most: 1000,
  per: 'account',
}

const uploadsQuota: RateQuota = {
  kind: 'rate',
  name: 'uploads',
  what: 'uploads',
  most: 10_000,
  unprovenMost: 1000,
  per: 'scope',
  windowSec: 3600,
}

const mebibyte = 1024 * 1024
const uploadedQuota: RateQuota = {
  kind: 'rate',
  name: 'upload_megabytes',
  what: 'megabytes uploaded',
  most: 100_000,
  unprovenMost: 10_000,
  per: 'scope',
  windowSec: 3600,
}

export interface RequestQuotas {
  /** Throws `quota_exceeded`, or answers what to call when the request has ended. */
  enter(caller: Caller | undefined): (() => void) | undefined
  beforeUpload(caller: Caller | undefined): Promise<void>
  /** Their bytes are known once they have arrived. */
  afterUpload(caller: Caller | undefined, files: readonly UploadedFile[]): Promise<void>
}

const subjectOfCaller = (caller: Caller | undefined): QuotaSubject | undefined =>
  caller && 'credential' in caller ? subjectOf(caller) : undefined

export const createRequestQuotas = (quotas: Quotas): RequestQuotas => {
  for (const quota of [openRequestsQuota, uploadsQuota, uploadedQuota]) quotas.declare(quota)
  return {
    enter: (caller) => {
      const subject = subjectOfCaller(caller)
      return subject && quotas.enter(openRequestsQuota, subject)
    },
    beforeUpload: async (caller) => {
      const subject = subjectOfCaller(caller)
      if (subject) await quotas.take(uploadsQuota, subject)
    },
    afterUpload: async (caller, files) => {
      const subject = subjectOfCaller(caller)
      const bytes = files.reduce((total, { size }) => total + size, 0)
      if (subject && bytes > 0) await quotas.take(uploadedQuota, subject, Math.ceil(bytes / mebibyte))
    },
  }
}
