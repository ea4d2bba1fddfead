/** A recipient's page, opened from a mailed link without an account. */
import { getRouteApi } from '@tanstack/react-router'
import { SignView } from '#features/signing/recipient/sign-view.tsx'
import type { CardProps } from '#features/signing/recipient/signing-context.ts'
import { Sheet } from '../frames/sheet.tsx'

const route = getRouteApi('/sign/$token')

export function SignPage() {
  const { token } = route.useParams()
  return <SignView token={token} Card={Card} />
}

const Card = (props: CardProps) => <Sheet {...props} hasThemeButton={false} />
