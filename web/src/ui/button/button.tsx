/** Buttons. One primary per page; while pending, a progress line runs along the bottom and nothing moves. */
import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, MouseEvent } from 'react'
import { cx } from '#ui/class-names.ts'

type Look = 'primary' | 'plain' | 'quiet' | 'danger'
type Size = 'small' | 'medium' | 'large'

const looks: Record<Look, string> = {
  primary: 'bg-seal text-on-seal hover:bg-seal-deep shadow-[inset_0_-1px_0_rgb(0_0_0/0.18)]',
  plain: 'border border-line bg-surface text-ink hover:bg-sunken',
  quiet: 'text-soft hover:bg-sunken hover:text-ink',
  danger: 'bg-bad-fill text-white hover:brightness-110 shadow-[inset_0_-1px_0_rgb(0_0_0/0.18)]',
}
const sizes: Record<Size, string> = {
  small: 'h-7 gap-1.5 px-2.5 text-sm',
  medium: 'h-9 gap-2 px-3.5 text-base',
  large: 'h-10 gap-2 px-4 text-base',
}

/** The classes of a button, for links that look like one. */
export const buttonLook = (look: Look = 'plain', size: Size = 'medium') =>
  cx(
    'relative inline-flex shrink-0 select-none items-center justify-center overflow-hidden whitespace-nowrap',
    'rounded-control font-medium transition-colors duration-150',
    looks[look],
    sizes[size],
  )

interface ButtonProps extends ComponentProps<'button'> {
  look?: Look
  size?: Size
  icon?: LucideIcon
  isPending?: boolean
}

export function Button({
  look,
  size,
  icon: Icon,
  isPending = false,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  // Not `disabled`: that would drop the focus.
  const guarded = (event: MouseEvent<HTMLButtonElement>) => {
    if (isPending) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      type="button"
      {...rest}
      onClick={guarded}
      aria-busy={isPending || undefined}
      aria-disabled={isPending || undefined}
      className={cx(buttonLook(look, size), 'disabled:opacity-50', className)}
    >
      {Icon && <Icon aria-hidden className={size === 'small' ? 'size-3.5' : 'size-4'} />}
      {children}
      {isPending && (
        <span aria-hidden className="absolute inset-x-0 bottom-0 h-0.5 overflow-hidden">
          <span className="block h-full w-1/3 animate-ink bg-current" />
        </span>
      )}
    </button>
  )
}

interface IconButtonProps extends ComponentProps<'button'> {
  label: string
  icon: LucideIcon
  /** Fits into a line of text. */
  isTiny?: boolean
}

export function IconButton({ label, icon: Icon, isTiny = false, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={cx(
        'inline-flex shrink-0 items-center justify-center rounded-control text-soft',
        'transition-colors duration-150 hover:bg-sunken hover:text-ink disabled:opacity-40',
        isTiny ? 'size-6' : 'size-8',
        className,
      )}
    >
      <Icon aria-hidden className={isTiny ? 'size-3.5' : 'size-4'} />
    </button>
  )
}
