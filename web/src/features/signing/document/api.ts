/** The evidence of a document. */
import { AuditReply } from '@chancery/contract/signing-documents.ts'
import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { api } from '#lib/api.ts'
import { auditKey, documentPath } from '../documents/api.ts'

export type Entry = z.output<typeof AuditReply>['entries'][number]

const refreshMs = 5000

export const useAudit = (id: string, isMoving: boolean) =>
  useQuery({
    queryKey: auditKey(id),
    queryFn: () => api.get(`${documentPath(id)}/audit`, AuditReply),
    refetchInterval: isMoving ? refreshMs : false,
  })

export const auditUrl = (id: string) => `${documentPath(id)}/audit`
export const certificateUrl = (id: string, format: 'pdf' | 'json') =>
  `${documentPath(id)}/certificate${format === 'pdf' ? '.pdf' : ''}`
