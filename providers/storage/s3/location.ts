/** Reads the address of a bucket: `s3://bucket/prefix?region=eu-central-1&endpoint=https://host:9000`. */

export interface S3Location {
  readonly bucket: string;
  /** Empty, or with a slash at its end. */
  readonly prefix: string;
  /** Without it the SDK takes that of its environment. */
  readonly region: string | undefined;
  /** Of a server other than Amazon's. */
  readonly endpoint: string | undefined;
}

/** @param url as config.ts has checked it */
export function s3Location(url: string): S3Location {
  const { hostname, pathname, searchParams } = new URL(url);
  const path = pathname.replaceAll(/^\/+|\/+$/g, '');
  const endpoint = searchParams.get('endpoint') ?? undefined;
  return {
    bucket: hostname,
    prefix: path === '' ? '' : `${path}/`,
    // Other servers take any region, but requests are signed with one.
    region: searchParams.get('region') ?? (endpoint === undefined ? undefined : 'us-east-1'),
    endpoint,
  };
}
