/** Secrets and tokens are sealed for their credential, so a copied row reveals nothing. */
export const sealedAs = (credentialId: string): string => `http-credential:${credentialId}`
