/** The table of this folder, as queries see it. */

export interface SealCertificatesTable {
  fingerprint: string
  origin: 'self_made' | 'configured'
  certificatePem: string
  sealedKey: string | null
  createdAt: Date
}

declare module '#kernel/db/tables.ts' {
  interface Tables {
    sealCertificates: SealCertificatesTable
  }
}
