/** The certificate that seals documents: the server's, or the organization's own. */
import { SealCertificate, type SealCertificateBody } from '@chancery/contract/signing-certificate.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { api } from '#lib/http/api.ts'

export type Certificate = z.infer<typeof SealCertificate>

const key = ['signing-certificate'] as const
const ownPath = '/api/org/signing-certificate'

export const useCertificate = () =>
  useQuery({ queryKey: key, queryFn: () => api.get('/api/signing/certificate', SealCertificate) })

export function useOwnCertificate() {
  const queryClient = useQueryClient()
  return {
    save: async (body: z.infer<typeof SealCertificateBody>) => {
      queryClient.setQueryData(key, await api.put(ownPath, body, SealCertificate))
    },
    remove: async () => {
      await api.tell('DELETE', ownPath)
      await queryClient.invalidateQueries({ queryKey: key })
    },
  }
}
