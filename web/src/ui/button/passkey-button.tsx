/** A button that asks the browser for a passkey. */
import { Fingerprint } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Button } from './button.tsx'

export const PasskeyButton = (props: Omit<ComponentProps<typeof Button>, 'icon' | 'size'>) => (
  <Button {...props} size="large" icon={Fingerprint} />
)
