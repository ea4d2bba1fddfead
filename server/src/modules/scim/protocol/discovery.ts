/** What a directory can ask us about ourselves: what is supported, which attributes are kept (RFC 7643, 5 to 7). */
const core = 'urn:ietf:params:scim:schemas:core:2.0'

export const serviceProvider = (base: string) => ({
  schemas: [`${core}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: 200 },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A token that an administrator of the organization makes.',
      specUri: 'https://www.rfc-editor.org/info/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
})

const attribute = (name: string, description: string, more: object = {}) => ({
  name,
  type: 'string',
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
})

const user = [
  attribute('userName', 'Unique in the organization; the email unless another is sent.', {
    required: true,
    uniqueness: 'server',
  }),
  attribute('externalId', 'The directory’s own id.', { caseExact: true }),
  attribute('displayName', 'The name that others see.'),
  attribute('name', 'Parts of the name.', {
    type: 'complex',
    subAttributes: [
      attribute('formatted', 'The whole name.'),
      attribute('givenName', 'The first name.'),
      attribute('familyName', 'The last name.'),
    ],
  }),
  attribute('emails', 'One is kept: the primary one. Its domain is a verified one of the organization.', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'The address.'),
      attribute('type', 'Always work.'),
      attribute('primary', 'Always true.', { type: 'boolean' }),
    ],
  }),
  attribute('active', 'Whether the person can sign in.', { type: 'boolean' }),
]

const group = [
  attribute('displayName', 'Unique in the organization.', { required: true, uniqueness: 'server' }),
  attribute('externalId', 'The directory’s own id.', { caseExact: true }),
  attribute('members', 'People of the organization.', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'The id of a person.', { mutability: 'immutable' }),
      attribute('type', 'Always User.', { mutability: 'immutable' }),
    ],
  }),
]

const kinds = [
  { name: 'User', endpoint: '/Users', description: 'A person of the organization', attributes: user },
  { name: 'Group', endpoint: '/Groups', description: 'A group of the organization', attributes: group },
]

export const schemasOf = (base: string) =>
  kinds.map(({ name, description, attributes }) => ({
    schemas: [`${core}:Schema`],
    id: `${core}:${name}`,
    name,
    description,
    attributes,
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${core}:${name}` },
  }))

export const typesOf = (base: string) =>
  kinds.map(({ name, endpoint, description }) => ({
    schemas: [`${core}:ResourceType`],
    id: name,
    name,
    endpoint,
    description,
    schema: `${core}:${name}`,
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
  }))
