/** Links to other sign-in providers, if this instance has any. */
import { withQuery } from '@chancery/contract/reading/address.ts'
import { buttonLook } from '#ui/button/button.tsx'
import { useProviders } from './api.ts'

export function ProviderLinks({ returnTo }: { returnTo: string | undefined }) {
  const providers = useProviders().data?.providers ?? []
  if (providers.length === 0) return null
  return (
    <div className="mt-6 flex flex-col gap-2">
      <p className="mb-2 flex items-center gap-3 text-faint text-sm before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </p>
      {providers.map(({ id, name, loginUrl }) => (
        <a key={id} href={withQuery(loginUrl, { return_to: returnTo })} className={buttonLook('plain', 'large')}>
          Continue with {name}
        </a>
      ))}
    </div>
  )
}
