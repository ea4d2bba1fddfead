/** The certificate that seals documents: the server's, or the organization's own. */
import * as endpoints from '@chancery/contract/endpoints/seals.ts'
import type { SealCertificate, SealCertificateBody } from '@chancery/contract/signing/certificate.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '#lib/http/call.ts'

export type Certificate = z.infer<typeof SealCertificate>

const key = ['signing-certificate'] as const

export const useCertificate = () => useQuery({ queryKey: key, queryFn: () => call(endpoints.getSealCertificate) })

export function useOwnCertificate() {
  const queryClient = useQueryClient()
  return {
    save: async (body: z.infer<typeof SealCertificateBody>) => {
      queryClient.setQueryData(key, await call(endpoints.setSealCertificate, { body }))
    },
    remove: async () => {
      await call(endpoints.removeSealCertificate)
      await queryClient.invalidateQueries({ queryKey: key })
    },
  }
}
