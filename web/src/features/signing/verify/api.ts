/** The public check of a PDF. The file is not kept. */
import * as endpoints from '@chancery/contract/endpoints/seals.ts'
import { addressOf } from '@chancery/contract/reading/address.ts'
import { VerifyReply } from '@chancery/contract/signing/verification.ts'
import { api, type UploadOptions } from '#lib/http/api.ts'

export const verifyPdf = (file: File, options: UploadOptions): Promise<VerifyReply> => {
  const form = new FormData()
  // Some systems don't know the type of a PDF by its name; the server reads the bytes either way.
  form.set('file', new File([file], file.name, { type: 'application/pdf' }))
  return api.upload(addressOf(endpoints.verifyFile), form, VerifyReply, options)
}
