/** A popover at a control. Closes on Escape and on a click outside. */
import { Popover as Base } from 'radix-ui'
import type { ReactNode } from 'react'
import { cx } from '#ui/class-names.ts'

interface PopoverProps {
  label: string
  trigger: ReactNode
  isOpen?: boolean
  onOpenChange?: (isOpen: boolean) => void
  side?: 'top' | 'bottom'
  align?: 'start' | 'center' | 'end'
  /** Moves the focus when it closes; by default it goes back to the trigger. */
  onReturnFocus?: () => void
  className?: string
  children: ReactNode
}

export function Popover({
  label,
  trigger,
  isOpen,
  onOpenChange,
  side = 'bottom',
  align = 'start',
  onReturnFocus,
  className,
  children,
}: PopoverProps) {
  return (
    <Base.Root {...(isOpen !== undefined && { open: isOpen })} {...(onOpenChange && { onOpenChange })}>
      <Base.Trigger asChild>{trigger}</Base.Trigger>
      <Base.Portal>
        <Base.Content
          aria-label={label}
          side={side}
          align={align}
          sideOffset={6}
          collisionPadding={12}
          onCloseAutoFocus={(event) => {
            if (!onReturnFocus) return
            event.preventDefault()
            onReturnFocus()
          }}
          className={cx(
            'z-50 max-h-(--radix-popover-content-available-height) animate-rise overflow-hidden rounded-panel bg-raised shadow-float',
            className,
          )}
        >
          {children}
        </Base.Content>
      </Base.Portal>
    </Base.Root>
  )
}
