/** The field that picks who may use a model: another feature knows people and groups, so the page passes it in. */
import type { AccessGrant } from '@chancery/contract/grants.ts'
import type { ReactNode } from 'react'

export type GrantsField = (props: {
  value: AccessGrant[] | null
  onChange: (value: AccessGrant[] | null) => void
}) => ReactNode
