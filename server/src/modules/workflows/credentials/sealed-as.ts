/** Secrets and tokens are sealed for their credential, so a copied row reveals nothing. */
import { storedSeal } from '#kernel/crypto/seal-context.ts'
export const sealedAs = storedSeal({
  purpose: 'http-credential',
  table: 'http_credentials',
  columns: ['sealed_secret', 'sealed_token'],
  by: ['id'],
})
