/** Registration of a person or a company. */
import { getRouteApi, Link } from '@tanstack/react-router'
import { RegisterForm } from '#features/auth/register-form.tsx'
import { textLink } from '#ui/button/href-link.tsx'
import { Sheet } from '../frames/sheet.tsx'
import { useEnter } from '../use-enter.ts'

const route = getRouteApi('/register')

export function RegisterPage() {
  const { kind = 'person' } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <Sheet
      title="Create an account"
      foot={
        <p>
          Already have an account?{' '}
          <Link to="/sign-in" className={textLink}>
            Sign in
          </Link>
        </p>
      }
    >
      <RegisterForm
        kind={kind}
        onKind={(next) => void navigate({ search: next === 'company' ? { kind: next } : {}, replace: true })}
        onSignedIn={useEnter('person')}
      />
    </Sheet>
  )
}
