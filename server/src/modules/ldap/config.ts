/** The directory that companies are mirrored into, and directories that check passwords. */
import { bool, text, url, type ValuesOf } from '#kernel/config/variable.ts'

export const ldapVariables = {
  Directories: {
    LDAP_PROVISIONING_ENABLED: bool({
      fallback: false,
      sentence: 'Whether companies, their groups, departments and people are mirrored into a directory of yours.',
    }),
    LDAP_URL: url({
      fallback: undefined,
      fallbackText: 'none',
      protocols: ['ldap:', 'ldaps:'],
      sentence: 'That directory: ldaps://host:port, or ldap://host:port, which is upgraded with StartTLS.',
    }),
    LDAP_BASE_DN: text({ fallback: undefined, sentence: 'Where in it ou=companies stands or is made.' }),
    LDAP_BIND_DN: text({ fallback: undefined, sentence: 'The account that writes there.' }),
    LDAP_BIND_PASSWORD: text({ fallback: undefined, secret: true, sentence: 'Its password.' }),
    LDAP_CA_FILE: text({
      fallback: undefined,
      fallbackText: 'the authorities that Node.js trusts',
      sentence: 'The authority of its certificate, as a PEM file.',
    }),
    LDAP_ALLOW_PLAINTEXT: bool({
      fallback: false,
      sentence: "Whether a directory, yours or a company's own, may be used without TLS. For tests on one machine.",
    }),
  },
} as const
export type LdapConfig = ValuesOf<typeof ldapVariables>
