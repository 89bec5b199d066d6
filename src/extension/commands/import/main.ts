/** What is needed to add and to import servers: a bundle of its own, loaded when it is used. */
export { addServer } from '../add/addServer.ts';
export { importServers } from './importServers.ts';
