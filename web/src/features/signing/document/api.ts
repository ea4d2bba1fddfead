/** The evidence of a document. */
import * as endpoints from '@chancery/contract/endpoints/signing.ts'
import { addressOf } from '@chancery/contract/reading/address.ts'
import type { AuditReply, SigningDocument } from '@chancery/contract/signing/documents.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '#lib/http/call.ts'
import { auditKey } from '../documents/api.ts'

export type Entry = z.output<typeof AuditReply>['entries'][number]

const refreshMs = 5000

/** Read again with every new state: the last entries come with the end of the document, when nothing is polled any more. */
export const useAudit = ({ id, state }: Pick<SigningDocument, 'id' | 'state'>) =>
  useQuery({
    queryKey: [...auditKey(id), state],
    queryFn: () => call(endpoints.listDocumentAudit, { params: { id } }),
    placeholderData: keepPreviousData,
    refetchInterval: state === 'SENT' || state === 'SEALING' ? refreshMs : false,
  })

export const auditUrl = (id: string) => addressOf(endpoints.listDocumentAudit, { params: { id } })
export const certificateUrl = (id: string, format: 'pdf' | 'json') =>
  addressOf(format === 'pdf' ? endpoints.readCertificate : endpoints.getCertificate, { params: { id } })
