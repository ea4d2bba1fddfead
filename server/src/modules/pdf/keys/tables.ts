/** The tables of this folder, as queries see them. */

export interface SealCertificatesTable {
  fingerprint: string
  origin: 'self_made' | 'configured'
  certificatePem: string
  sealedKey: string | null
  createdAt: Date
}

export interface SealsTable {
  signatureSha256: string
  documentId: string
  createdAt: Date
  /** Null: before this was recorded. */
  sealedBy: 'instance' | 'organization' | null
}

export interface OrganizationSealKeysTable {
  organizationId: string
  certificatePem: string
  sealedKey: string
  updatedAt: Date
}

declare module '#kernel/db/tables.ts' {
  interface Tables {
    sealCertificates: SealCertificatesTable
    seals: SealsTable
    organizationSealKeys: OrganizationSealKeysTable
  }
}
