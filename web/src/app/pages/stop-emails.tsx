/** A recipient stops emails, by the link at the end of one. */
import { getRouteApi } from '@tanstack/react-router'
import type { CardProps } from '#features/signing/recipient/signing-context.ts'
import { StopView } from '#features/signing/recipient/stop-view.tsx'
import { Sheet } from '../frames/sheet.tsx'

const route = getRouteApi('/sign/$token/stop')

export function StopEmailsPage() {
  const { token } = route.useParams()
  return <StopView token={token} Card={Card} />
}

const Card = (props: CardProps) => <Sheet {...props} hasThemeButton={false} />
