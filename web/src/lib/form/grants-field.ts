/** The field for who may use something. People and groups belong to another feature, so the page passes it in. */
import type { AccessGrant } from '@chancery/contract/grants.ts'
import type { ReactNode } from 'react'

export type GrantsField = (props: {
  value: AccessGrant[] | null
  onChange: (value: AccessGrant[] | null) => void
}) => ReactNode
