/** Seal certificates, and the public check of a PDF. */

import { del, get, post, put } from '../endpoint.ts'
import { SealCertificate, SealCertificateBody } from '../signing/certificate.ts'
import { VerifyReply } from '../signing/verification.ts'

export const getSealCertificate = get('/api/signing/certificate', { reply: SealCertificate })
export const setSealCertificate = put('/api/org/signing-certificate', {
  body: SealCertificateBody,
  reply: SealCertificate,
})
export const removeSealCertificate = del('/api/org/signing-certificate')
export const verifyFile = post('/api/public/verify', { reply: VerifyReply })
